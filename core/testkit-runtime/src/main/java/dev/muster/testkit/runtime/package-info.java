/** What an engine must pass with the runtime: its plans are checked and carried out. */
@NullMarked
package dev.muster.testkit.runtime;

import org.jspecify.annotations.NullMarked;
