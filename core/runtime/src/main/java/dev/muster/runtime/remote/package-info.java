/** {@code muster run}: launchers on other hosts, started by the system's own ssh. */
@NullMarked
package dev.muster.runtime.remote;

import org.jspecify.annotations.NullMarked;
