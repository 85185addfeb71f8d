package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Limits of this process, as {@code /proc} tells them now. */
record ResourceLimits(Path root) {

    static final String FILES = "Max open files";
    static final String PROCESSES = "Max processes";

    /** A number or {@code unlimited}; empty where it cannot be read. */
    Optional<String> soft(String name) {
        return column(name, 0);
    }

    /** What the process itself may raise its soft limit to. */
    Optional<String> hard(String name) {
        return column(name, 1);
    }

    /** The beginning of a refusal. */
    static String need(int processes, long needed) {
        return processes + (processes == 1 ? " process needs " : " processes need ") + needed;
    }

    private Optional<String> column(String name, int column) {
        try {
            return Files.readAllLines(root.resolve("proc/self/limits"), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).trim().split(" +", -1))
                    .filter(columns -> columns.length > column)
                    .map(columns -> columns[column])
                    .findFirst();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
