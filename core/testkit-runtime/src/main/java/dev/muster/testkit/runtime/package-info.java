/** The tests that an engine must pass with the runtime, which checks its plans and carries them out. */
@NullMarked
package dev.muster.testkit.runtime;

import org.jspecify.annotations.NullMarked;
