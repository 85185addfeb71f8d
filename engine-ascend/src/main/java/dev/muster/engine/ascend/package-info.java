/** The engine that starts one process per Ascend card. */
@NullMarked
package dev.muster.engine.ascend;

import org.jspecify.annotations.NullMarked;
