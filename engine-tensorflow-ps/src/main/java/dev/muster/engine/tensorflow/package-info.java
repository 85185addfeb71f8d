/** The engine that starts the parameter servers and workers of a TensorFlow job. */
@NullMarked
package dev.muster.engine.tensorflow;

import org.jspecify.annotations.NullMarked;
