package dev.muster.runtime.engines;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

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

    /** The first two versions of Java had the number 45. */
    private static final int BEFORE_JAVA_1 = 44;

    private static final int VERSION_AT = 6;
    private static final Pattern VERSION = Pattern.compile("\\d{1,6}+(\\.\\d{1,6}+)*+");

    private SpiVersion() {}

    /** The version of the SPI that this Muster has; its manifest says the same. */
    public static String ours() {
        return OURS;
    }

    /** What is wrong with a plugin's jar, if it does not fit this Java and our SPI. Loads none of its classes. */
    static Optional<String> mismatch(PluginJar jar) {
        int java = newestClass(jar.path());
        if (java > Runtime.version().feature()) {
            return Optional.of(jar.name() + " needs a more recent version of Java: its classes are for Java " + java
                    + ", and this is Java " + Runtime.version().feature()
                    + ". Start Muster on a newer one (JAVA_HOME), or ask its author for classes for Java 17");
        }
        return jar.spi().isPresent() && isNewer(jar.spi().get())
                ? Optional.of(jar.name() + " was built for SPI " + jar.spi().get() + ", and this Muster has SPI " + OURS
                        + ". Update Muster, or ask its author for one built for SPI " + OURS)
                : Optional.empty();
    }

    /** The Java that can load all classes of a jar; 0 when it cannot be read: whoever loads it says what is wrong with it. */
    private static int newestClass(Path jar) {
        int java = 0;
        try (ZipFile file = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                // What lies below META-INF/versions is for other versions of Java.
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                    try (DataInputStream head = new DataInputStream(file.getInputStream(entry))) {
                        head.readNBytes(VERSION_AT);
                        java = Math.max(java, head.readUnsignedShort() - BEFORE_JAVA_1);
                    }
                }
            }
        } catch (IOException unreadable) {
            return java;
        }
        return java;
    }

    /** What is wrong with a plugin, if an error comes from another version of the SPI. */
    static Optional<String> mismatch(PluginJar jar, Throwable error) {
        boolean isOfSpi = error instanceof LinkageError
                && error.getMessage() != null
                && error.getMessage().replace('/', '.').contains("dev.muster.spi.");
        return isOfSpi ? Optional.of(line(jar, error.toString())) : Optional.empty();
    }

    /** Numbers with dots between; what is none counts as newer, since nobody here knows it. */
    private static boolean isNewer(String version) {
        if (!VERSION.matcher(version).matches()) {
            return true;
        }
        List<String> theirs = List.of(version.split("\\.", -1));
        List<String> ours = List.of(OURS.split("\\.", -1));
        for (int index = 0; index < theirs.size(); index++) {
            int difference =
                    Integer.parseInt(theirs.get(index)) - (index < ours.size() ? Integer.parseInt(ours.get(index)) : 0);
            if (difference != 0) {
                return difference > 0;
            }
        }
        return false;
    }

    private static String line(PluginJar jar, String problem) {
        String version = jar.spi().orElse(SILENT);
        String versions = version.equals(OURS)
                ? " does not fit SPI " + OURS + ", for which it says it was built: "
                : " was built for SPI " + version + ", and this Muster has SPI " + OURS + ": ";
        return jar.name() + versions + problem + ". Ask its author for one built for SPI " + OURS;
    }
}
