package dev.muster.runtime.process;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/** Tells why an existing file cannot be executed. The kernel has one error number for several reasons. */
final class ProgramFile {

    private static final int HEAD = 256;
    private static final int ELF_MACHINE = 18;
    private static final Map<Integer, String> MACHINES =
            Map.of(3, "x86", 40, "arm", 62, "x86-64", 183, "aarch64", 243, "riscv64");

    private ProgramFile() {}

    /** The obstacle and its fix, as the text after "cannot be executed: "; empty: no obstacle is visible. */
    static Optional<String> obstacle(Path path) {
        if (!Files.exists(path)) {
            return Optional.of("this user may not enter a directory above it");
        }
        if (Files.isDirectory(path)) {
            return Optional.of("it is a directory");
        }
        if (!Files.isRegularFile(path)) {
            return Optional.of("it is no regular file");
        }
        if (!Files.isExecutable(path)) {
            boolean isAllowed = mode(path).contains("x");
            return Optional.of("it is not executable (mode " + mode(path) + ")"
                    + (isAllowed ? " for this user, or on a file system mounted noexec" : "; chmod +x " + path));
        }
        byte[] head = head(path);
        if (startsWith(head, "#!")) {
            return interpreterObstacle(path, head);
        }
        return startsWith(head, "\u007fELF") ? machineObstacle(head) : Optional.empty();
    }

    /** The kernel takes all text up to a blank as the interpreter's path. */
    private static Optional<String> interpreterObstacle(Path path, byte[] head) {
        String text = ByteText.decode(head);
        String line = text.indexOf('\n') < 0 ? text : text.substring(0, text.indexOf('\n'));
        String[] words = line.substring(2).replaceFirst("^[ \t]+", "").split("[ \t]+", -1);
        boolean isEnv = words[0].endsWith("/env") && words.length == 2;
        if (words[isEnv ? 1 : 0].endsWith("\r")) {
            return Optional.of("its first line ends with \\r\\n, as on Windows, so "
                    + Printable.quote(words[isEnv ? 1 : 0]) + " is looked for; sed -i 's/\\r$//' " + path);
        }
        if (words[0].startsWith("/") && ByteText.isPlain(words[0]) && Files.notExists(Path.of(words[0]))) {
            return Optional.of("its interpreter " + Printable.escape(words[0]) + " does not exist");
        }
        return Optional.empty();
    }

    private static Optional<String> machineObstacle(byte[] head) {
        int machine = machine(head);
        // The machine of this kernel, from the ELF header of this process.
        int own = machine(head(Path.of("/proc/self/exe")));
        boolean isKnown = machine != 0 && own != 0;
        boolean runs = machine == own || (own == 62 && machine == 3) || (own == 183 && machine == 40);
        return isKnown && !runs
                ? Optional.of("it is a program for " + MACHINES.getOrDefault(machine, "machine " + machine)
                        + ", this is " + MACHINES.getOrDefault(own, "machine " + own))
                : Optional.empty();
    }

    /** 0 when unknown. */
    private static int machine(byte[] head) {
        return head.length < ELF_MACHINE + 2 ? 0 : (head[ELF_MACHINE] & 0xff) | (head[ELF_MACHINE + 1] & 0xff) << 8;
    }

    private static byte[] head(Path path) {
        try (InputStream file = Files.newInputStream(path)) {
            return file.readNBytes(HEAD);
        } catch (IOException unreadable) {
            // A program may be executable without being readable.
            return new byte[0];
        }
    }

    private static boolean startsWith(byte[] head, String magic) {
        return new String(head, StandardCharsets.ISO_8859_1).startsWith(magic);
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
