package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A conda installation with one environment, as far as it takes to activate it. */
final class CondaPrefix {

    /** What the environment is called. */
    static final String NAME = "train";

    private final Path root;

    private CondaPrefix(Path root) {
        this.root = root;
    }

    /** An environment without anything in it. */
    static CondaPrefix in(Scene scene) {
        CondaPrefix conda = new CondaPrefix(scene.beside("conda"));
        conda.write("conda-meta/history", "");
        conda.write("bin/README", "");
        return conda;
    }

    /** The installation. */
    Path root() {
        return root;
    }

    Path path() {
        return root.resolve("envs").resolve(NAME);
    }

    /** Makes a program of the environment. */
    CondaPrefix program(String name, String target) {
        try {
            Files.createSymbolicLink(path().resolve("bin").resolve(name), Path.of(target));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    /** Makes a script that is read on activation. */
    CondaPrefix onActivation(String... lines) {
        write("etc/conda/activate.d/script.sh", String.join("\n", lines) + "\n");
        return this;
    }

    /** Sets a variable as {@code conda env config vars set} does. */
    CondaPrefix variable(String name, String value) {
        write("conda-meta/state", "{\"version\": 1, \"env_vars\": {\"" + name + "\": \"" + value + "\"}}");
        return this;
    }

    private void write(String name, String text) {
        Path file = path().resolve(name);
        try {
            Files.createDirectories(file.getParent());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Scene.write(file, text);
    }
}
