/** Starts a whole job of virtual nodes on this machine. It acts as the platform, and starts one real launcher for each node. */
@NullMarked
package dev.muster.runtime.simulate;

import org.jspecify.annotations.NullMarked;
