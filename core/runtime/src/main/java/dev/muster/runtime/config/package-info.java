/**
 * What the user and the environment said: the process as it was started, the one table of options, and the settings that
 * come out of command line, variables and configuration file, each with its origin.
 */
@NullMarked
package dev.muster.runtime.config;

import org.jspecify.annotations.NullMarked;
