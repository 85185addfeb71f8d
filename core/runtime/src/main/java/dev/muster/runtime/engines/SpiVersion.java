package dev.muster.runtime.engines;

import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;

/**
 * Versions of the SPI: this Muster's, and those that plugins were built for. A plugin that does not fit gets one line, wherever
 * it comes to light.
 */
public final class SpiVersion {

    private static final String OURS = "0.2";

    /** In the manifest of the launcher, and of plugins. */
    static final String ATTRIBUTE = "Muster-Spi-Version";

    /** Plugins were not asked to say it then. */
    private static final String SILENT = "0.1";

    private SpiVersion() {}

    /** The version of the SPI that this Muster has; its manifest says the same. */
    public static String ours() {
        return OURS;
    }

    /** What is wrong with a plugin that was built for an SPI that is newer than ours. */
    static Optional<String> mismatch(DeclaredEngine engine) {
        return engine.spi().isPresent() && isNewer(engine.spi().get())
                ? Optional.of(
                        engine.jar() + " was built for SPI " + engine.spi().get() + ", and this Muster has SPI " + OURS
                                + ". Update Muster, or ask its author for one built for SPI " + OURS)
                : Optional.empty();
    }

    /** What is wrong with a plugin, if an error comes from another version of the SPI. */
    static Optional<String> mismatch(DeclaredEngine engine, Throwable error) {
        boolean isOfSpi = error instanceof LinkageError
                && error.getMessage() != null
                && error.getMessage().replace('/', '.').contains("dev.muster.spi.");
        if (!isOfSpi) {
            return Optional.empty();
        }
        String version = engine.spi().orElse(SILENT);
        String versions = version.equals(OURS)
                ? " does not fit SPI " + OURS + ", for which it says it was built: "
                : " was built for SPI " + version + ", and this Muster has SPI " + OURS + ": ";
        return Optional.of(engine.jar() + versions + error + ". Ask its author for one built for SPI " + OURS);
    }

    /** What is no version counts as newer, since nobody here knows it. */
    private static boolean isNewer(String version) {
        try {
            return Version.parse(version).compareTo(Version.parse(OURS)) > 0;
        } catch (IllegalArgumentException noVersion) {
            return true;
        }
    }
}
