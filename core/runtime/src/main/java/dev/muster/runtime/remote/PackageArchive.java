package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * This launcher's package as a tar file, for hosts without Muster. The file is already deleted, so it vanishes with this JVM.
 *
 * @param sum the checksum of the content; it does not depend on times and owners
 */
record PackageArchive(FileChannel file, String sum) {

    private static final String SCRIPT = "tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner"
            + " -cf \"$0\" -C \"$1\" . && exec sha256sum < \"$0\"";

    private static final Duration TO_ARCHIVE = Duration.ofMinutes(2);

    /** @param place for temporary files */
    static PackageArchive of(Path home, Path place, CommandRunner commands) {
        try {
            return pack(home, Files.createTempFile(place, "muster-", ".tar"), commands);
        } catch (IOException refused) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    home + " cannot be packed in " + place + " (TMPDIR): " + IoReasons.of(refused),
                    refused);
        }
    }

    private static PackageArchive pack(Path home, Path path, CommandRunner commands) throws IOException {
        try {
            CommandRunner.Answer made =
                    commands.ask(List.of("sh", "-c", SCRIPT, path.toString(), home.toString()), TO_ARCHIVE);
            if (made.exitCode() != 0) {
                throw new IOException("tar or sha256sum ended with exit code " + made.exitCode());
            }
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            return new PackageArchive(file, made.output().split(" ", 2)[0]);
        } finally {
            Files.deleteIfExists(path);
        }
    }

    /** Writes the copy order and the archive. */
    void writeTo(OutputStream host) throws IOException {
        host.write(("copy " + file.size() + "\n").getBytes(StandardCharsets.US_ASCII));
        file.transferTo(0, file.size(), Channels.newChannel(host));
    }
}
