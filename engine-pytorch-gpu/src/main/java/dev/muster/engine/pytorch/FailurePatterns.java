package dev.muster.engine.pytorch;

import dev.muster.spi.RankLines;
import java.util.List;

/** The form of the output of torchrun. */
final class FailurePatterns {

    /** PyTorch's prefix of tracebacks since 2.2, and torchrun's prefix with {@code --tee}: a role and a local rank. */
    private static final List<String> PREFIXES =
            List.of("\\[rank(?<rank>[0-9]+)\\]: ?", "\\[(?!rank[0-9])[A-Za-z_][A-Za-z_-]*(?<local>[0-9]+)\\]: ?");

    /** After the failure that ends the job, all output is torchrun's own. */
    private static final String OWN = "(?m)^[^\n]*Sending process [0-9]+ closing signal SIG[A-Z]+$"
            + "|(?s)^[^\n]*failed \\(exitcode: -?[0-9]+\\) local_rank: [0-9]+ (?!.*failed \\(exitcode: ).*\\z";

    private static final String CULPRIT = "(?s)Root Cause \\(first observed failure\\):"
            + ".{0,800}?rank +: (?<rank>[0-9]+) \\(local_rank: (?<local>[0-9]+)\\)"
            + "\\s+exitcode +: (?<code>-?[0-9]+) \\(pid: (?<pid>[0-9]+)\\)";

    static final RankLines LINES = new RankLines(PREFIXES, OWN, CULPRIT);

    private FailurePatterns() {}
}
