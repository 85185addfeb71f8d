/**
 * Boots a whole job of virtual nodes on this machine: plays the platform for each of them and starts one real launcher a
 * node.
 */
@NullMarked
package dev.muster.runtime.simulate;

import org.jspecify.annotations.NullMarked;
