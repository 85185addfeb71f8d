/**
 * The run of a plan: one event loop that owns all state. Other threads only post {@link
 * dev.muster.runtime.supervise.Event}s; everything done to the world goes through {@link
 * dev.muster.runtime.supervise.Effects}.
 */
@NullMarked
package dev.muster.runtime.supervise;

import org.jspecify.annotations.NullMarked;
