package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Places for the private directory of a run, best first. */
record RunDirectoryPlaces(List<String> usual, List<String> trusted) {

    /** Only root can write there, and it is emptied when the machine starts. */
    private static final String CLOSED = "/run";

    /**
     * Characters that need no quotes in sshd, ssh, mpirun and shells. Each has other quoting rules, none can express every path, and
     * mpirun has no quotes at all.
     */
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}/_.,+@=~-]*");

    static RunDirectoryPlaces of(Map<String, String> environment, List<String> others) {
        List<String> usual = new ArrayList<>(absolute(environment, "XDG_RUNTIME_DIR"));
        List<String> trusted = new ArrayList<>(usual);
        trusted.add(CLOSED);
        for (String temporary : absolute(environment, "TMPDIR")) {
            usual.add(temporary);
            trusted.add(temporary);
        }
        trusted.addAll(absolute(environment, "HOME"));
        trusted.addAll(others);
        usual.addAll(others);
        return new RunDirectoryPlaces(List.copyOf(usual), List.copyOf(trusted));
    }

    private static List<String> absolute(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.startsWith("/") ? List.of(value) : List.of();
    }

    /** Makes something in a place. */
    interface Maker {
        Path make(Path place) throws IOException;
    }

    /** Makes something in the first suitable place. The problems of earlier places are added to the list. */
    static Optional<Path> make(List<String> places, Maker making, List<String> problems) {
        for (String place : places) {
            try {
                return Optional.of(making.make(Path.of(place)));
            } catch (IOException e) {
                problems.add(Printable.escape(place) + " (" + IoReasons.of(e) + ")");
            } catch (InvalidPathException e) {
                problems.add(Printable.escape(place) + " (no path)");
            }
        }
        return Optional.empty();
    }

    /**
     * Makes the directory, with mode 0700.
     *
     * @throws MusterException when there is no place for it
     */
    Path make() {
        List<String> problems = new ArrayList<>();
        return make(usual, RunDirectoryPlaces::makeIn, problems)
                .orElseThrow(() -> refusal("TMPDIR to a directory that can be written", problems));
    }

    /**
     * Makes the directory where only its owner and root can replace files. Best is a place where no directory above is writable by
     * others: sshd demands it for keys ({@code StrictModes} in sshd_config).
     *
     * @throws MusterException no place is suitable
     */
    Path makeTrusted() {
        List<String> problems = new ArrayList<>();
        return make(trusted, place -> makeInTrusted(place, true), new ArrayList<>())
                .or(() -> make(trusted, place -> makeInTrusted(place, false), problems))
                .orElseThrow(() -> refusal(
                        "XDG_RUNTIME_DIR to a directory that only you can write to, as all above it, with nothing in its"
                                + " path but letters, digits and /_.,+@=~-",
                        problems));
    }

    private static Path makeInTrusted(Path place, boolean isStrict) throws IOException {
        Path real = place.toRealPath();
        Optional<Trust.Flaw> flaw = Trust.ofKey(real).refusal();
        if (flaw.isPresent()) {
            throw new FileException(flaw.get().of(real));
        }
        if (isStrict && !Trust.isStrict(real)) {
            throw new FileException("can be written by others");
        }
        if (!PLAIN.matcher(real.toString()).matches()) {
            throw new FileException("has characters that programs such as ssh and mpirun cannot be told");
        }
        return makeIn(real);
    }

    /** Makes a new directory with a random name. */
    static Path makeIn(Path parent) throws IOException {
        Path drawn = parent.toAbsolutePath().resolve(TemporaryNames.unused(RunDirectory.PREFIX, ""));
        Path made = Files.createDirectory(drawn, Modes.PRIVATE_DIRECTORY);
        if (!Files.isReadable(made) || !Files.isWritable(made) || !Files.isExecutable(made)) {
            // The umask removed permissions that the owner needs.
            Files.setPosixFilePermissions(made, Modes.PRIVATE_DIRECTORY.value());
        }
        return made;
    }

    private static MusterException refusal(String what, List<String> problems) {
        return MusterException.configuration(
                "cannot make a private temporary directory in " + String.join(", ", problems) + ". Set " + what);
    }
}
