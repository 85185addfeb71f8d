/** The jars of third parties: which there are, what they declare, and which of them are refused. */
@NullMarked
package dev.muster.runtime.plugins;

import org.jspecify.annotations.NullMarked;
