/** TCP ports of this machine: which are free, which process has a port, and which a job of Muster holds before any process listens. */
@NullMarked
package dev.muster.runtime.ports;

import org.jspecify.annotations.NullMarked;
