/**
 * {@code muster doctor}: whether a job can run on this node. Each subject has a {@code Check}; {@code CheckTable} lists them all, and
 * {@code VariableTable} the variables that frameworks misread.
 */
@NullMarked
package dev.muster.runtime.doctor;

import org.jspecify.annotations.NullMarked;
