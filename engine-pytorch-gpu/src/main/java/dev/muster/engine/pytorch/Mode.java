package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;

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
        String wanted = job.option(OPTION.name()).map(option -> option.value()).orElse(PER_NODE.word);
        for (Mode mode : values()) {
            if (mode.word.equals(wanted)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(OPTION.name() + "=" + wanted); // the runtime has checked the choice
    }
}
