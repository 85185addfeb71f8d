package dev.muster.runtime.inputs;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the machine's own files are looked for.
 *
 * @param path stands for {@code /} when inputs below {@code /etc} and {@code /dev} are read; empty: the machine itself
 */
public record InputRoot(Optional<Path> path) {

    /** The machine itself. */
    public static final InputRoot MACHINE = new InputRoot(Optional.empty());

    /** A directory that plays the machine in tests and simulations. */
    public static InputRoot at(Path directory) {
        return new InputRoot(Optional.of(directory));
    }

    /** The file to read for a path, relative ones being meant in {@code directory}. */
    Path resolve(Path directory, String input) {
        boolean isMachine = isBelow(input, "/etc") || isBelow(input, "/dev");
        if (isMachine && path.isPresent()) {
            return path.get().resolve(input.substring(1));
        }
        return directory.resolve(input);
    }

    private static boolean isBelow(String input, String top) {
        return input.startsWith(top) && (input.length() == top.length() || input.charAt(top.length()) == '/');
    }
}
