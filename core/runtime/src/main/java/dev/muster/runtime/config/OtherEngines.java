package dev.muster.runtime.config;

import java.util.Set;

/**
 * The engines that were not chosen. A variable or key that belongs to one of them is no mistake, since image and configuration
 * file may serve several jobs. Asked only when a name is not known otherwise, since asking loads all engines of our own.
 */
@FunctionalInterface
public interface OtherEngines {

    /** The names of all options of our own engines, and of those that plugins say they have; no plugin's code runs for that. */
    Set<String> optionNames();
}
