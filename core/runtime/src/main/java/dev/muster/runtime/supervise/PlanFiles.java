package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.plan.ValueParts;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The files of a plan. One whose text is known before anything starts is written then, any other when the first process starts
 * that reads it; its path is settled before, too.
 */
final class PlanFiles {

    private final LaunchPlan plan;
    private final RunDirectory runDirectory;
    private final Consumer<String> warn;
    private final ValueParts parts;
    private final Texts texts;
    private final Map<String, Path> paths = new HashMap<>();
    private final Set<String> written = new HashSet<>();

    /**
     * Nothing is written yet.
     *
     * @param draw gives a free port, by its name; asked once for each
     * @param environments what processes have in theirs
     */
    PlanFiles(
            LaunchPlan plan,
            RunDirectory runDirectory,
            Consumer<String> warn,
            Function<String, Integer> draw,
            RunMarker marker,
            EnvironmentText environments) {
        this.plan = plan;
        this.runDirectory = runDirectory;
        this.warn = warn;
        this.parts = new ValueParts(plan);
        this.texts = new Texts(draw, this::pathOf, runDirectory::path, marker, environments);
    }

    /** What the values of the plan stand for, paths of files included. */
    Texts texts() {
        return texts;
    }

    /** @throws MusterException when a file cannot be written anywhere */
    void writeEarly() {
        plan.files().forEach(file -> pathOf(file.id()));
    }

    /** Where a file lies; written by now, unless its text is known later. */
    Path pathOf(String id) {
        Path known = paths.get(id);
        if (known != null) {
            return known;
        }
        for (FileToWrite file : plan.files()) {
            if (file.id().equals(id)) {
                Path path = ValueParts.isLate(file.text()) ? settle(file) : write(file);
                paths.put(id, path);
                return path;
            }
        }
        throw new IllegalStateException("the plan has no file " + id);
    }

    /**
     * Writes what a process reads and nobody has read before.
     *
     * @throws FileException when that cannot be done
     */
    void writeFor(ProcessSpec process, LateValues late) throws FileException {
        for (FileToWrite file : parts.filesNamedBy(ValueParts.of(process.launch()))) {
            if (ValueParts.isLate(file.text()) && written.add(file.id())) {
                Path path = pathOf(file.id());
                AtomicFile.write(Objects.requireNonNull(path.getParent()), file.name(), bytes(file, late));
            }
        }
    }

    private Path write(FileToWrite file) {
        byte[] content = bytes(file, LateValues.NONE);
        if (file.directory().isPresent()) {
            Path wanted = Path.of(file.directory().get());
            try {
                Directories.make(wanted);
                return AtomicFile.write(wanted, file.name(), content);
            } catch (FileException refused) {
                warnOfOtherPlace(refused);
            }
        }
        try {
            return AtomicFile.write(runDirectory.path(), file.name(), content);
        } catch (FileException refused) {
            throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Tries with an empty file whether the place will do, and leaves nothing of it. */
    private Path settle(FileToWrite file) {
        if (file.directory().isPresent()) {
            Path wanted = Path.of(file.directory().get());
            try {
                Directories.make(wanted);
                Files.deleteIfExists(AtomicFile.write(wanted, file.name(), new byte[0]));
                return wanted.resolve(file.name());
            } catch (IOException refused) {
                warnOfOtherPlace(refused);
            }
        }
        return runDirectory.path().resolve(file.name());
    }

    private void warnOfOtherPlace(IOException refused) {
        warn.accept(refused.getMessage() + "; using " + runDirectory.path() + " instead");
    }

    private byte[] bytes(FileToWrite file, LateValues late) {
        return texts.of(file.text(), late).getBytes(StandardCharsets.UTF_8);
    }
}
