package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The files of a plan. */
final class PlanFiles {

    private final LaunchPlan plan;
    private final RunDirectory runDirectory;
    private final Consumer<String> warn;
    private final ValueResolver texts;
    private final Map<String, Path> paths = new HashMap<>();

    /**
     * Nothing is written yet.
     *
     * @param draw gives a free port, by its name; asked once for each
     * @param program gives the path of the launcher's own program
     * @param environments what processes have in theirs
     */
    PlanFiles(
            LaunchPlan plan,
            RunDirectory runDirectory,
            Consumer<String> warn,
            Function<String, Integer> draw,
            Supplier<Path> program,
            EnvironmentText environments) {
        this.plan = plan;
        this.runDirectory = runDirectory;
        this.warn = warn;
        this.texts = new ValueResolver(draw, this::pathOf, runDirectory::path, program, environments);
    }

    /** What the values of the plan stand for, paths of files included. */
    ValueResolver texts() {
        return texts;
    }

    /** @throws MusterException when a file cannot be written anywhere */
    void writeEarly() {
        plan.files().forEach(file -> pathOf(file.id()));
    }

    /** Where a file lies; it is written by now. */
    Path pathOf(String id) {
        Path known = paths.get(id);
        if (known != null) {
            return known;
        }
        for (GeneratedFile file : plan.files()) {
            if (file.id().equals(id)) {
                Path path = write(file);
                paths.put(id, path);
                return path;
            }
        }
        throw new IllegalStateException("the plan has no file " + id);
    }

    private Path write(GeneratedFile file) {
        String content = texts.of(file.text());
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

    private void warnOfOtherPlace(IOException refused) {
        warn.accept(refused.getMessage() + "; using " + runDirectory.path() + " instead");
    }
}
