/** Conda environments: which one a job runs in, and what its activation changes. */
@NullMarked
package dev.muster.runtime.conda;

import org.jspecify.annotations.NullMarked;
