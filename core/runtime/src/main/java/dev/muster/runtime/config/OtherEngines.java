package dev.muster.runtime.config;

import java.util.Set;

/**
 * The engines that were not chosen. A variable or key that belongs to one of them is no mistake, since image and configuration
 * file may serve several jobs. Asked only when a name is not known otherwise, since asking loads all engines.
 */
@FunctionalInterface
public interface OtherEngines {

    /** The names of all options that any engine declares. */
    Set<String> optionNames();
}
