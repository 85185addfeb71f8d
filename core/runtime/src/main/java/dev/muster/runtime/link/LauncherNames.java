package dev.muster.runtime.link;

import java.util.Optional;

/** How messages call the launchers of a job. */
public final class LauncherNames {

    private static final String OF_NODE = "node-";

    private LauncherNames() {}

    /** For example {@code node 1 (gpu2)} for {@code node-1}, {@code ps-0 (gpu2)} for {@code ps-0}. */
    public static String of(String launcher, Optional<String> host) {
        return of(launcher) + host.map(name -> " (" + name + ")").orElse("");
    }

    /** The same without the host. */
    public static String of(String launcher) {
        return launcher.startsWith(OF_NODE) ? "node " + launcher.substring(OF_NODE.length()) : launcher;
    }
}
