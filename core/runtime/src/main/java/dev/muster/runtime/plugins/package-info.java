/** The jars of third parties: which there are, what they declare, which of them are refused, and how their code is called. */
@NullMarked
package dev.muster.runtime.plugins;

import org.jspecify.annotations.NullMarked;
