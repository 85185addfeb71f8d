package dev.muster.runtime.diagnostics;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Knows failures that another process's end brings about. */
public final class SecondaryFailure {

    private static final int SIGPIPE = 13;

    private static final Pattern WORDS =
            Pattern.compile("Connection reset by peer|Connection closed by peer|Broken ?[Pp]ipe"
                    + "|ConnectionResetError|ncclRemoteError|NCCL communicator was aborted|Socket closed|EOFError\\b"
                    + "|recvValue failed|Stop_waiting response is expected|unexpected end of (?:file|stream)");

    private SecondaryFailure() {}

    /**
     * Whether a process failed because another was gone, as far as its words tell.
     *
     * @param words its last words
     * @param signal that ended it
     */
    public static boolean isOne(List<String> words, OptionalInt signal) {
        return signal.equals(OptionalInt.of(SIGPIPE)) || isTold(words);
    }

    /** Whether these lines tell of it. */
    static boolean isTold(List<String> lines) {
        return lines.stream().anyMatch(line -> WORDS.matcher(line).find());
    }
}
