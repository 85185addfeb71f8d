package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Which processes a node starts. */
enum Mode {
    /** The command once; it starts a process for each card itself. The contract of ModelArts. */
    PER_NODE("per-node"),
    /** The command once for each card, as if torchrun had started it. */
    PER_CARD("per-card"),
    /** The real torchrun, which starts the command for each card. */
    TORCHRUN("torchrun");

    static final EngineOption OPTION = EngineOption.choice(
            "processes",
            "which processes a node starts: the command once, once per card, or torchrun",
            PER_NODE.word,
            PER_CARD.word,
            TORCHRUN.word);

    private final String word;

    Mode(String word) {
        this.word = word;
    }

    static Mode of(JobSpec job) {
        return of(job.options());
    }

    static Mode of(Map<String, OptionValue> options) {
        String wanted = Optional.ofNullable(options.get(OPTION.name()))
                .map(OptionValue::value)
                .orElse(PER_NODE.word);
        for (Mode mode : values()) {
            if (mode.word.equals(wanted)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(OPTION.name() + "=" + wanted); // the runtime has checked the choice
    }

    String word() {
        return word;
    }

    /** The ranks of a node whose processes are in its plan; torchrun's are its own. */
    List<String> ranks(int node, int cards) {
        return switch (this) {
            case PER_NODE -> List.of(Integer.toString(node));
            case PER_CARD ->
                IntStream.range(node * cards, (node + 1) * cards)
                        .mapToObj(Integer::toString)
                        .toList();
            case TORCHRUN -> List.of();
        };
    }
}
