package dev.muster.runtime.plugins;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;

/** Versions of Muster and its SPI, and those that plugins were built for. */
public final class SpiVersion {

    /** In the manifest of the launcher, and of plugins. */
    public static final String ATTRIBUTE = "Muster-Spi-Version";

    private static final String OURS = "0.2";

    private SpiVersion() {}

    /** The version of the SPI that this Muster has; its manifest says the same. */
    public static String ours() {
        return OURS;
    }

    /** The version of this Muster: of the module in a package with its own Java, else of the jar; empty: not packaged. */
    public static Optional<String> ofMuster() {
        ModuleDescriptor module = SpiVersion.class.getModule().getDescriptor();
        return module == null
                ? Optional.ofNullable(SpiVersion.class.getPackage().getImplementationVersion())
                : module.rawVersion();
    }

    /** What is wrong with a plugin that was built for an SPI that is newer than ours. */
    static Optional<String> mismatch(PluginJar jar) {
        return jar.attribute(ATTRIBUTE)
                .filter(SpiVersion::isNewer)
                .map(theirs -> versions(jar) + ". Update Muster, or ask its author for one built for SPI " + OURS);
    }

    /** For example {@code x.jar was built for SPI 0.1, and this Muster has SPI 0.2}. */
    static String versions(PluginJar jar) {
        return jar.name() + " was built for SPI " + jar.attribute(ATTRIBUTE).orElse("(not declared)")
                + ", and this Muster has SPI " + OURS;
    }

    /** A text that is no version counts as newer, since this Muster does not know it. */
    private static boolean isNewer(String version) {
        try {
            return Version.parse(version).compareTo(Version.parse(OURS)) > 0;
        } catch (IllegalArgumentException noVersion) {
            return true;
        }
    }
}
