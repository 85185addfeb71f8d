/** Plans as data: checked before anything is done, and shown to people and machines. */
@NullMarked
package dev.muster.runtime.plan;

import org.jspecify.annotations.NullMarked;
