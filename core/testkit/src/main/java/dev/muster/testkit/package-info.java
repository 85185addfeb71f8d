/**
 * The tests that every engine must pass, Muster's own and plugins: one test class in the engine's module extends {@link
 * dev.muster.testkit.EngineConformance}.
 */
@NullMarked
package dev.muster.testkit;

import org.jspecify.annotations.NullMarked;
