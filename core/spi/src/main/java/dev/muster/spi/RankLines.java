package dev.muster.spi;

import java.util.List;

/**
 * How the output of a task reads that prints for several ranks, as mpirun and torchrun do, so that a verdict can quote the rank that
 * failed. All are regular expressions of {@link java.util.regex.Pattern}.
 *
 * @param prefixes what may stand before a line of one rank; a group {@code rank} holds its rank, or a group {@code local} its local
 *     rank
 * @param own what the task prints for itself about the end of ranks, wherever it stands in the output, over several lines ({@code (?ms)})
 *     if need be: never why a rank has failed
 * @param culprit where the task says which rank failed first; groups {@code rank}, {@code local}, {@code code} (negative: the signal)
 *     and {@code pid}. Empty: it does not say
 * @since 0.1
 */
@Stability(stable = false)
public record RankLines(List<String> prefixes, String own, String culprit) {

    public RankLines {
        prefixes = List.copyOf(prefixes);
    }
}
