package dev.muster.runtime.engines;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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

    private static final int MOST_WORDS = 2;
    private static final Pattern VERSION = Pattern.compile("\\d{1,6}+(\\.\\d{1,6}+)*+");

    private SpiVersion() {}

    /** The version of the SPI that this Muster has; its manifest says the same. */
    public static String ours() {
        return OURS;
    }

    /** What is wrong with a plugin's jar, if it does not fit this Java and our SPI. Loads none of its classes. */
    static Optional<String> mismatch(PluginJar jar) {
        JarClasses classes = JarClasses.of(jar.path());
        if (classes.java() > Runtime.version().feature()) {
            return Optional.of(jar.name() + " needs a more recent version of Java: its classes are for Java "
                    + classes.java() + ", and this is Java "
                    + Runtime.version().feature()
                    + ". Start Muster on a newer one (JAVA_HOME), or ask its author for classes for Java 17");
        }
        Collection<String> missing = classes.missing();
        if (!missing.isEmpty()) {
            return Optional.of(line(
                    jar,
                    "it uses " + some(missing) + (missing.size() == 1 ? ", a word" : ", words")
                            + " that this SPI does not have"));
        }
        return jar.spi().isPresent() && isNewer(jar.spi().get())
                ? Optional.of(jar.name() + " was built for SPI " + jar.spi().get() + ", and this Muster has SPI " + OURS
                        + ". Update Muster, or ask its author for one built for SPI " + OURS)
                : Optional.empty();
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

    private static String some(Collection<String> words) {
        List<String> shown = new ArrayList<>(words).subList(0, Math.min(MOST_WORDS, words.size()));
        int more = words.size() - shown.size();
        return String.join(" and ", shown) + (more == 0 ? "" : " and " + more + " more");
    }
}
