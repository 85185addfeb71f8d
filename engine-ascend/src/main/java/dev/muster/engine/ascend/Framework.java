package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import java.util.Optional;
import java.util.stream.Stream;

/** The frameworks whose training scripts expect the variables and arguments of MindX DL's start scripts. */
enum Framework {
    TENSORFLOW,
    PYTORCH,
    MINDSPORE;

    static final EngineOption OPTION = EngineOption.choice(
            "framework",
            "whose training scripts are started as MindX DL's scripts start them",
            "none",
            "tensorflow",
            "pytorch",
            "mindspore");

    /** The framework that a job names, if it names one. */
    static Optional<Framework> of(JobSpec job) {
        String given = job.option(OPTION.name()).map(OptionValue::value).orElse("");
        return Stream.of(values())
                .filter(framework -> framework.name().equalsIgnoreCase(given))
                .findFirst();
    }
}
