package dev.muster.runtime.cli;

import dev.muster.runtime.plugins.SpiVersion;

/** The text of {@code muster --version}. */
final class Versions {

    private static final String UNPACKAGED = "(not packaged)";

    private Versions() {}

    static String text() {
        return "muster " + ofMuster() + ", SPI " + SpiVersion.ours() + ", Java " + Runtime.version() + "\n";
    }

    /** The version of the jar that we were loaded from. */
    private static String ofMuster() {
        String version = Versions.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKAGED : version;
    }
}
