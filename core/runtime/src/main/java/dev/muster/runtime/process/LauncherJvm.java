package dev.muster.runtime.process;

import java.util.List;
import java.util.OptionalInt;

/** The command line of a JVM that runs a launcher, from the package or from a plain jar. */
public final class LauncherJvm {

    private static final String CLASS = "dev.muster.Start";
    private static final String JAR = "-jar";

    private LauncherJvm() {}

    /** Where the launcher's own words begin, behind its class or jar; empty: it is no launcher's. */
    public static OptionalInt words(List<String> arguments) {
        int start = arguments.indexOf(CLASS);
        if (start > 0) {
            return OptionalInt.of(start + 1);
        }
        int jar = arguments.indexOf(JAR);
        return jar > 0 && jar + 1 < arguments.size() && isJar(lastPart(arguments.get(jar + 1)))
                ? OptionalInt.of(jar + 2)
                : OptionalInt.empty();
    }

    private static boolean isJar(String name) {
        return name.startsWith("muster") && name.endsWith(".jar");
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
