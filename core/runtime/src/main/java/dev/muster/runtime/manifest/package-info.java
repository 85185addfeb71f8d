/** Prints a platform's manifest for a job: the template of the platform's page in the documentation, filled in. */
@NullMarked
package dev.muster.runtime.manifest;

import org.jspecify.annotations.NullMarked;
