package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds who has a pipe open. */
public final class PipeHolders {

    private PipeHolders() {}

    /**
     * The live processes, other than this one, that have one of some pipes open, as far as this user may see that.
     *
     * @param pipes as the system calls them, for example {@code pipe:[4711]}
     */
    public static List<LiveProcess> of(Set<String> pipes) {
        long own = ProcessHandle.current().pid();
        return ProcFiles.pids().stream()
                .filter(pid -> pid != own && holds(pid, pipes))
                .map(ProcFiles::process)
                .flatMap(Optional::stream)
                .toList();
    }

    private static boolean holds(long pid, Set<String> pipes) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors) {
                if (pipes.contains(target(descriptor))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            return false;
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
