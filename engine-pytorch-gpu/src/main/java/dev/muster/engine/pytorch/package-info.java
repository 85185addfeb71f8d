/** The engine that starts PyTorch jobs: one process per node, one per card, or the real torchrun. */
@NullMarked
package dev.muster.engine.pytorch;

import org.jspecify.annotations.NullMarked;
