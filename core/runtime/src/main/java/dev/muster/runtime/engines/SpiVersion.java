package dev.muster.runtime.engines;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Versions of the SPI: this Muster's, and those that plugins were built for. A plugin that does not fit gets one line, wherever
 * it comes to light.
 */
public final class SpiVersion {

    private static final String OURS = "0.2";

    /** In the manifest of the launcher, and of plugins. */
    private static final String ATTRIBUTE = "Muster-Spi-Version";

    /** Plugins were not asked to say it then. */
    private static final String SILENT = "0.1";

    private static final int MOST_WORDS = 2;

    private SpiVersion() {}

    /** The version of the SPI that this Muster has; its manifest says the same. */
    public static String ours() {
        return OURS;
    }

    /** What is wrong with a plugin's jar, if it does not fit our SPI. */
    static Optional<String> mismatch(Path jar) {
        Collection<String> missing = SpiWords.missing(jar);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(line(
                        String.valueOf(jar.getFileName()),
                        of(jar),
                        "it uses " + some(missing) + (missing.size() == 1 ? ", a word" : ", words")
                                + " that this SPI does not have"));
    }

    /** What is wrong with the plugin that a class belongs to, if an error comes from another version of the SPI. */
    static Optional<String> mismatch(Class<?> engine, Throwable error) {
        boolean isOfSpi = error instanceof LinkageError
                && error.getMessage() != null
                && error.getMessage().replace('/', '.').contains("dev.muster.spi.");
        return isOfSpi
                ? jarOf(engine).map(jar -> line(JarName.of(engine), of(jar), error.toString()))
                : Optional.empty();
    }

    private static String line(String jar, String version, String problem) {
        String versions = version.equals(OURS)
                ? " does not fit SPI " + OURS + ", for which it says it was built: "
                : " was built for SPI " + version + ", and this Muster has SPI " + OURS + ": ";
        return jar + versions + problem + ". Ask its author for one built for SPI " + OURS;
    }

    private static String some(Collection<String> words) {
        List<String> shown = new ArrayList<>(words).subList(0, Math.min(MOST_WORDS, words.size()));
        int more = words.size() - shown.size();
        return String.join(" and ", shown) + (more == 0 ? "" : " and " + more + " more");
    }

    private static String of(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return Optional.ofNullable(file.getManifest())
                    .map(Manifest::getMainAttributes)
                    .map(attributes -> attributes.getValue(ATTRIBUTE))
                    .orElse(SILENT);
        } catch (IOException unreadable) {
            return SILENT;
        }
    }

    private static Optional<Path> jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isRegularFile);
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            return Optional.empty();
        }
    }
}
