/**
 * What every engine must pass, ours and strangers': {@link dev.muster.testkit.EngineConformance} is extended by one test
 * class in the engine's own module.
 */
@NullMarked
package dev.muster.testkit;

import org.jspecify.annotations.NullMarked;
