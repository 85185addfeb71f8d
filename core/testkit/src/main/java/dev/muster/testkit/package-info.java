/** What an engine's own tests stand on. */
@NullMarked
package dev.muster.testkit;

import org.jspecify.annotations.NullMarked;
