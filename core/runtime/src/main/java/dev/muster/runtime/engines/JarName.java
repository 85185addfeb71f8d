package dev.muster.runtime.engines;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/** Tells users where a class came from. */
final class JarName {

    private JarName() {}

    /** The file name of the jar, or of the directory, that holds a class. */
    static String of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return "the Java runtime";
        }
        try {
            return String.valueOf(Path.of(source.getLocation().toURI()).getFileName());
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            return source.getLocation().toString();
        }
    }
}
