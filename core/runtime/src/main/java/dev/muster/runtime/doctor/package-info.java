/**
 * {@code muster doctor}: whether a job can run on this node, or on all its nodes. Each subject has a class; {@code DoctorCommand} lists them all, and
 * {@code variables.txt} the variables that frameworks misread.
 */
@NullMarked
package dev.muster.runtime.doctor;

import org.jspecify.annotations.NullMarked;
