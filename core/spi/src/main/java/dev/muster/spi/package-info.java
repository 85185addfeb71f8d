/**
 * What an engine gets and returns. An engine is a pure function from a {@link dev.muster.spi.PlanRequest} to a {@link
 * dev.muster.spi.LaunchPlan}; everything in this package is immutable data. The package depends on the JDK only.
 *
 * <p>{@link dev.muster.spi.Stability} tells for each type whether it may change.
 */
@NullMarked
package dev.muster.spi;

import org.jspecify.annotations.NullMarked;
