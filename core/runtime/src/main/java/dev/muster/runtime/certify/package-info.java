/**
 * Tests any launcher against the boot contract of an engine. It starts the launcher in a simulated cluster, with a probe as training
 * command. Then it compares what each rank sees, and how the job ends, with the result of the engine's own plan.
 */
@NullMarked
package dev.muster.runtime.certify;

import org.jspecify.annotations.NullMarked;
