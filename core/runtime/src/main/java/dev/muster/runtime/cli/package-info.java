/** What the user types and reads: the command line, help, versions, the list of engines. */
@NullMarked
package dev.muster.runtime.cli;

import org.jspecify.annotations.NullMarked;
