/**
 * TCP ports of this machine: which are free, who has the others, and which belong to a job of Muster's although nobody listens
 * on them yet.
 */
@NullMarked
package dev.muster.runtime.ports;

import org.jspecify.annotations.NullMarked;
