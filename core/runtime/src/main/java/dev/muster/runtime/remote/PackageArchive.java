package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * This launcher's package as a file of tar, for hosts without Muster. The file has no name any more, so that it goes with this JVM.
 *
 * @param sum of its content, which does not depend on times and owners
 */
record PackageArchive(FileChannel file, String sum) {

    private static final Duration TO_ARCHIVE = Duration.ofMinutes(2);
    private static final String TAR = "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner"
            + " -cf \"$0\" -C \"$1\" . && sha256sum < \"$0\"";

    /** @param place for temporary files */
    static PackageArchive of(Path home, Path place, CommandRunner commands) {
        try {
            Path path = Files.createTempFile(place, "muster-", ".tar");
            CommandRunner.Answer made =
                    commands.ask(List.of("sh", "-c", TAR, path.toString(), home.toString()), TO_ARCHIVE);
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
            if (made.exitCode() != 0) {
                throw new IOException("tar ended with exit code " + made.exitCode());
            }
            return new PackageArchive(file, made.output().split(" ", 2)[0]);
        } catch (IOException refused) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, home + " cannot be copied: " + IoReasons.of(refused), refused);
        }
    }
}
