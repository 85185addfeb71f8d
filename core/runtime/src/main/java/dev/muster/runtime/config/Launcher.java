package dev.muster.runtime.config;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The program that is running, so that a simulation can start it again.
 *
 * @param packageHome the directory of the unpacked package, when its start script started us
 * @param javaHome the Java runtime that runs us
 * @param classPath the jars and directories that we were loaded from; absolute
 */
public record Launcher(Optional<Path> packageHome, Path javaHome, List<Path> classPath) {

    /** The start program, in the package. */
    static final String PROGRAM = "bin/muster";

    /** Only its name: no code may depend on the package of the entry point. */
    private static final String MAIN_CLASS = "dev.muster.runtime.app.Main";

    /** The beginning of a command line that starts another launcher; options and command follow. */
    public List<String> command() {
        if (packageHome.isPresent()) {
            return List.of(packageHome.get().resolve(PROGRAM).toString());
        }
        String java = javaHome.resolve("bin/java").toString();
        if (classPath.size() == 1 && classPath.get(0).toString().endsWith(".jar")) {
            return List.of(java, "-jar", classPath.get(0).toString());
        }
        String joined = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return List.of(java, "-cp", joined, MAIN_CLASS);
    }
}
