/** The engine that boots a job under mpirun, over an sshd of the job's own on every node. */
@NullMarked
package dev.muster.engine.mpi;

import org.jspecify.annotations.NullMarked;
