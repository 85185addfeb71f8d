package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A training command that notes its arguments and environment, byte for byte, and prints one line. */
final class Probe {

    private final Path notes;
    private final String program;

    private Probe(Path notes, String program) {
        this.notes = notes;
        this.program = program;
    }

    static Probe in(Scene scene) {
        // Reads /proc: the shell itself may change the environment.
        String program = scene.script(
                "probe",
                "notes=$scene/notes/$me",
                "[ ! -e $notes ] || rm -r $notes",
                "mkdir -p $notes.part",
                "cp -P /proc/$$/environ /proc/$$/cmdline /proc/$$/cwd $notes.part",
                "grep -hE '^(SigIgn:|[0-9a-f]+$)' /proc/$$/status /proc/$$/coredump_filter > $notes.part/signals",
                "umask > $notes.part/umask",
                "ulimit -S -n > $notes.part/files",
                "ulimit -H -n >> $notes.part/files",
                "echo $$ > $notes.part/pid",
                "mv $notes.part $notes",
                "echo rank $me was here");
        return new Probe(scene.beside("notes"), program);
    }

    /** The program, to be started with any arguments. */
    String program() {
        return program;
    }

    /** Whether any rank has been started. */
    boolean wasStarted() {
        return Files.exists(notes);
    }

    /** How many ranks have been started. */
    int count() {
        return wasStarted() ? notes.toFile().list().length : 0;
    }

    /** The arguments and environment of a rank. */
    Seen rank(int rank) {
        return new Seen(notes.resolve(Integer.toString(rank)));
    }

    /** The notes of one rank. */
    record Seen(Path directory) {

        /** The environment. Each byte becomes one character. */
        Map<String, String> environment() {
            Map<String, String> environment = new TreeMap<>();
            for (String variable : strings("environ")) {
                int equals = variable.indexOf('=');
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
            return environment;
        }

        /** The arguments behind the program. */
        List<String> arguments() {
            List<String> words = new ArrayList<>();
            for (String word : strings("cmdline")) {
                words.add(new String(word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
            }
            // The first two words are the shell and the script.
            return words.subList(2, words.size());
        }

        Path workDirectory() {
            try {
                return Files.readSymbolicLink(directory.resolve("cwd"));
            } catch (IOException failed) {
                throw new UncheckedIOException("the rank was not started: " + directory, failed);
            }
        }

        long pid() {
            return Long.parseLong(note("pid"));
        }

        /** One of the small notes, for example {@code umask}. */
        String note(String name) {
            return new String(bytes(name), StandardCharsets.UTF_8).strip();
        }

        private List<String> strings(String name) {
            List<String> strings = new ArrayList<>();
            String text = new String(bytes(name), StandardCharsets.ISO_8859_1);
            for (int start = 0; start < text.length(); ) {
                int end = text.indexOf('\0', start);
                strings.add(text.substring(start, end));
                start = end + 1;
            }
            return strings;
        }

        private byte[] bytes(String name) {
            try {
                return Files.readAllBytes(directory.resolve(name));
            } catch (IOException failed) {
                throw new UncheckedIOException("the rank was not started: " + directory, failed);
            }
        }
    }
}
