package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What shows the job of a launcher that has no warden, as long as it waits: a file that it holds open, whose name has the job's id. The
 * file itself is removed at once; the system goes on showing its name to those who may look at the process.
 */
public final class JobCard implements AutoCloseable {

    private static final String START = ".muster-";
    private static final String SEPARATOR = "=";
    private static final String REMOVED = " (deleted)";
    private static final List<String> VARIABLES = List.of("XDG_RUNTIME_DIR", "TMPDIR");

    private static final Set<StandardOpenOption> FOR_A_MOMENT =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);

    private final Optional<FileChannel> held;

    private JobCard(Optional<FileChannel> held) {
        this.held = held;
    }

    /**
     * Shows it from now on, where that is possible.
     *
     * @param environment has the directories for temporary files
     */
    public static JobCard show(String job, Map<String, String> environment) {
        String name = Names.unused(START, SEPARATOR + job);
        List<String> places = new ArrayList<>();
        VARIABLES.forEach(variable -> places.add(environment.getOrDefault(variable, "")));
        places.addAll(RunDirectory.TEMPORARY);
        for (String place : places) {
            if (place.startsWith("/")) {
                try {
                    return new JobCard(
                            Optional.of(FileChannel.open(Path.of(place).resolve(name), FOR_A_MOMENT)));
                } catch (IOException | InvalidPathException unfit) {
                    // Then the next one.
                }
            }
        }
        return new JobCard(Optional.empty());
    }

    /** The job that a process shows. */
    public static Optional<String> of(long pid) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : open) {
                Optional<String> job = job(descriptor);
                if (job.isPresent()) {
                    return job;
                }
            }
        } catch (IOException | DirectoryIteratorException ended) {
            // Or it may not be looked at.
        }
        return Optional.empty();
    }

    private static Optional<String> job(Path descriptor) {
        String target;
        try {
            target = Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return Optional.empty();
        }
        String name = target.substring(target.lastIndexOf('/') + 1);
        int separator = name.indexOf(SEPARATOR);
        return name.startsWith(START) && separator > 0 && name.endsWith(REMOVED)
                ? Optional.of(name.substring(separator + 1, name.length() - REMOVED.length()))
                : Optional.empty();
    }

    @Override
    public void close() {
        try {
            if (held.isPresent()) {
                held.get().close();
            }
        } catch (IOException gone) {
            // With the process, then.
        }
    }
}
