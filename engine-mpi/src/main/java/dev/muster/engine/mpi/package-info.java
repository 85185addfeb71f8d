/** The engine that starts a job under mpirun, over the job's own sshd on every node. */
@NullMarked
package dev.muster.engine.mpi;

import org.jspecify.annotations.NullMarked;
