package dev.muster.runtime.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Scripts that behave as munge and unmunge do. Machines that have the same directory have the same key; a credential can be opened
 * once.
 */
final class FakeMunge {

    private final Path directory;

    FakeMunge(Path directory) {
        this.directory = directory;
    }

    /** As it works where all is well. */
    Munge working() throws IOException {
        return of(user());
    }

    /** The same on behalf of another user. */
    Munge ofUser(int uid) throws IOException {
        return of(Integer.toString(uid));
    }

    /** A service that is not there. */
    Munge failing() throws IOException {
        Path program =
                script("failing", "echo 'munge: Error: Failed to access \"/run/munge/munge.socket.2\"' >&2; exit 6");
        return new Munge(program, program);
    }

    /** How many credentials somebody tried to open. */
    long opened() throws IOException {
        Path log = directory.resolve("opened");
        return Files.exists(log) ? Files.readAllLines(log).size() : 0;
    }

    private Munge of(String uid) throws IOException {
        Path munge = script("munge-" + uid, """
                printf 'MUNGE:%%s:\\n' "$(printf '%%s\\n%%s\\n%%s\\n' %s "$*" "$(cat)" | base64 -w0)"
                """.formatted(uid));
        Path unmunge = script("unmunge-" + uid, """
                read -r credential
                echo >>opened
                text=$(printf '%s' "$credential" | sed 's/^MUNGE://; s/:$//' | base64 -d 2>/dev/null) || {
                  echo 'unmunge: Error: Invalid credential' >&2
                  exit 8
                }
                mkdir "seen-$(printf '%s' "$credential" | cksum | cut -d' ' -f1)" 2>/dev/null || {
                  echo 'unmunge: Error: Replayed credential' >&2
                  exit 17
                }
                uid=$(printf '%s' "$text" | head -n1)
                printf 'STATUS:           Success (0)\\nUID:              someone (%s)\\nGID:              someone (0)\\n\\n' "$uid"
                printf '%s' "$text" | tail -n +3
                """);
        return new Munge(munge, unmunge);
    }

    private static String user() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    }

    private Path script(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\ncd '" + directory + "'\n" + content + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
