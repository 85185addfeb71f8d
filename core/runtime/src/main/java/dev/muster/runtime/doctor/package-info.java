/**
 * {@code muster doctor}: checks whether a job can run on this node, or on all its nodes. Each subject has a class. {@code DoctorCommand}
 * lists them. {@code variables.txt} lists the variables that frameworks misread.
 */
@NullMarked
package dev.muster.runtime.doctor;

import org.jspecify.annotations.NullMarked;
