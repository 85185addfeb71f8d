package dev.muster.runtime.config;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The environment that a process was started with, as the kernel keeps it: the start script cannot hand its caller's variables on
 * without changing some.
 */
final class CallersVariables {

    /** Of a process that only its parent still knows. */
    private static final String ENDED = "ZX";

    private CallersVariables() {}

    /**
     * Those of a living process; empty where the machine does not tell.
     *
     * @param charset what Java reads its own environment with
     */
    static Optional<Map<String, String>> of(String pid, Charset charset) {
        if (!pid.chars().allMatch(character -> character >= '0' && character <= '9')) {
            return Optional.empty();
        }
        try {
            byte[] block = Files.readAllBytes(Path.of("/proc", pid, "environ"));
            return block.length == 0 ? Optional.empty() : Optional.of(parse(block, charset));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether there was such a process and is none any more: its variables are lost. */
    static boolean areLost(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
            return ENDED.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException gone) {
            return Files.exists(Path.of("/proc/self/stat"));
        }
    }

    /** As Java does it: the first of equal names counts, what has no equals sign is none. */
    static Map<String, String> parse(byte[] block, Charset charset) {
        Map<String, String> variables = new HashMap<>();
        int start = 0;
        for (int end = 0; end < block.length; end++) {
            if (block[end] == 0) {
                int equals = equals(block, start, end);
                if (equals < end) {
                    variables.putIfAbsent(
                            new String(block, start, equals - start, charset),
                            new String(block, equals + 1, end - equals - 1, charset));
                }
                start = end + 1;
            }
        }
        return variables;
    }

    /** The place of the sign; the end, where there is none. A name may begin with one. */
    private static int equals(byte[] block, int start, int end) {
        int at = start + 1;
        while (at < end && block[at] != '=') {
            at++;
        }
        return Math.min(at, end);
    }
}
