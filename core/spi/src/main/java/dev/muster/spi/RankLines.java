package dev.muster.spi;

import java.util.List;

/**
 * The form of the output of a task that prints for several ranks, as mpirun and torchrun do. With it a verdict can quote the rank that
 * failed. All components are regular expressions of {@link java.util.regex.Pattern}.
 *
 * @param prefixes the prefixes of a line of one rank; a group {@code rank} holds its rank, or a group {@code local} its local
 *     rank
 * @param own the task's own messages about the end of ranks, anywhere in the output, over several lines with {@code (?ms)}. They are
 *     never the reason why a rank failed
 * @param culprit the message that tells which rank failed first; groups {@code rank}, {@code local}, {@code code} (negative: the signal)
 *     and {@code pid}. Empty: there is no such message
 * @since 0.1
 */
@Stability(stable = false)
public record RankLines(List<String> prefixes, String own, String culprit) {

    public RankLines {
        prefixes = List.copyOf(prefixes);
    }
}
