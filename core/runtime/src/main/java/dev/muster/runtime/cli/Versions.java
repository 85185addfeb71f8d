package dev.muster.runtime.cli;

import dev.muster.runtime.plugins.SpiVersion;

/** The text of {@code muster --version}. */
final class Versions {

    private static final String UNPACKAGED = "(not packaged)";

    private Versions() {}

    static String text() {
        return "muster " + SpiVersion.ofMuster().orElse(UNPACKAGED) + ", SPI " + SpiVersion.ours() + ", Java "
                + Runtime.version() + "\n";
    }
}
