package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Finds arguments that the JVM could not read: under {@code LANG=C} it replaces every byte beyond ASCII, elsewhere those that
 * are no UTF-8. A training command must not be changed silently.
 */
final class ArgumentBytes {

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\uFFFD';

    private ArgumentBytes() {}

    /** Reads this process's own command line, but only when an argument looks as if something had been replaced. */
    static void check(List<String> arguments) {
        if (!looksReplaced(arguments)) {
            return;
        }
        byte[] commandLine;
        try {
            commandLine = Files.readAllBytes(COMMAND_LINE);
        } catch (IOException unreadable) {
            return; // without it there is nothing to compare with, and a question mark is most often just that
        }
        check(arguments, commandLine);
    }

    /**
     * Compares the arguments with the end of a command line.
     *
     * @param commandLine as the kernel shows it: every argument followed by a zero byte
     */
    static void check(List<String> arguments, byte[] commandLine) {
        int end = commandLine.length;
        for (int index = arguments.size() - 1; index >= 0; index--) {
            int start = startOfArgument(commandLine, end);
            if (start < 0) {
                return; // the process renamed itself
            }
            byte[] given = Arrays.copyOfRange(commandLine, start, end - 1);
            if (!Arrays.equals(given, arguments.get(index).getBytes(StandardCharsets.UTF_8))) {
                throw unreadable(index + 1, arguments.get(index));
            }
            end = start;
        }
    }

    private static boolean looksReplaced(List<String> arguments) {
        for (String argument : arguments) {
            if (argument.indexOf(REPLACEMENT) >= 0 || argument.indexOf('?') >= 0) {
                return true;
            }
        }
        return false;
    }

    /** @param end the index behind the zero byte that ends the argument */
    private static int startOfArgument(byte[] commandLine, int end) {
        if (end < 1 || commandLine[end - 1] != 0) {
            return -1;
        }
        int start = end - 1;
        while (start > 0 && commandLine[start - 1] != 0) {
            start--;
        }
        return start;
    }

    private static MusterException unreadable(int number, String argument) {
        return MusterException.usage(
                "argument " + number + " (read as " + Printable.quote(argument)
                        + ") is not valid UTF-8, or the locale cannot express it: start Muster with bin/muster, or set LC_ALL=C.UTF-8");
    }
}
