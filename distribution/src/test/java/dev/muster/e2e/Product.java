package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build has put what the tests run. */
final class Product {

    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();

    private Product() {}

    /** The unpacked package. */
    static Path home() {
        return built("muster.package", MODULE.resolve("target/muster"));
    }

    /** The unpacked package with its own Java. It does not exist if the build found no JDK to link from. */
    static Path withJava() {
        return home().resolveSibling("muster-" + architecture());
    }

    /** The package that most users have: the one with its own Java, if there is one. */
    static Path usual() {
        return Files.isDirectory(withJava()) ? withJava() : home();
    }

    /** The archive of a package. */
    static Path archive(Path unpacked) {
        String end = architecture() + (unpacked.equals(home()) ? "-generic.tar.gz" : ".tar.gz");
        Path target = unpacked.resolveSibling("");
        String[] names = target.toFile().list((directory, name) -> name.startsWith("muster-") && name.endsWith(end));
        assertThat(names).as("archives in " + target).hasSize(1);
        return target.resolve(names[0]);
    }

    /** The architecture of this machine, as in the names of packages. */
    static String architecture() {
        return "linux-" + System.getProperty("os.arch").replace("amd64", "x86_64");
    }

    /** The launcher in one jar. */
    static Path jar() {
        return built("muster.jar", MODULE.resolve("target/muster.jar"));
    }

    /** The directory of the whole project. */
    static Path project() {
        return built("muster.root", MODULE.resolve(".."));
    }

    static Path startScript(Path home) {
        return home.resolve("bin/muster");
    }

    private static Path built(String property, Path usual) {
        String given = System.getProperty(property, "");
        Path path = given.isEmpty() ? usual.normalize() : Path.of(given);
        if (!Files.exists(path)) {
            throw new IllegalStateException(path + " is not there: run mvn verify, which builds it first");
        }
        return path;
    }
}
