package dev.muster.e2e;

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
