/**
 * What the user and the environment said: the world as the launcher found it, the one table of options, and the settings that
 * come out of command line, variables and configuration file, each with its origin.
 */
@NullMarked
package dev.muster.runtime.config;

import org.jspecify.annotations.NullMarked;
