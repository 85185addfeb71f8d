/**
 * Where we are: the platform, and what it and the options say of the job, of this node and of the places where things belong.
 */
@NullMarked
package dev.muster.runtime.platform;

import org.jspecify.annotations.NullMarked;
