package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds who holds a pipe open: whoever can write to it. The warden reads what ranks print when the launcher has died. */
public final class PipeHolders {

    private PipeHolders() {}

    /**
     * The live processes, other than this one, that can write to one of some pipes, as far as this user may see that.
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
                if (pipes.contains(target(descriptor)) && isForWriting(descriptor)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            return false;
        }
    }

    /** As the mode of the link shows. */
    private static boolean isForWriting(Path descriptor) throws IOException {
        return Files.getPosixFilePermissions(descriptor, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_WRITE);
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
