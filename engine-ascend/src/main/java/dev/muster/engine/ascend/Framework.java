package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The frameworks whose training scripts expect what MindX DL's start scripts give them. */
enum Framework {
    TENSORFLOW("tensorflow"),
    PYTORCH("pytorch"),
    MINDSPORE("mindspore");

    static final EngineOption OPTION = EngineOption.choice(
            "framework",
            "whose training scripts are started as MindX DL's scripts start them",
            "none",
            TENSORFLOW.word,
            PYTORCH.word,
            MINDSPORE.word);

    static final EngineOption OUTPUT = EngineOption.of(
            "output-dir",
            EngineOption.Kind.PATH,
            "with --framework tensorflow: ranks get --model_dir=DIR/models/device_<rank>/");

    /** Directories that are kept, or those that are new for each run. */
    static final EngineOption DIRECTORIES = EngineOption.choice(
            "mindspore-dirs",
            "with --framework mindspore: each rank works in device<rank>, which is kept, or in a new train_parallel<rank>",
            "device",
            "train_parallel");

    private final String word;

    Framework(String word) {
        this.word = word;
    }

    /** The framework that a job names, if it names one. */
    static Optional<Framework> of(JobSpec job) {
        Optional<OptionValue> given = job.option(OPTION.name());
        for (Framework framework : values()) {
            if (given.isPresent() && given.get().value().equals(framework.word)) {
                return Optional.of(framework);
            }
        }
        return Optional.empty();
    }

    /** That options were given which say something of another framework only. */
    static List<Note> unused(JobSpec job) {
        Optional<Framework> framework = of(job);
        List<Note> notes = new ArrayList<>();
        if (!framework.equals(Optional.of(MINDSPORE))) {
            notes.addAll(unused(job, DIRECTORIES, MINDSPORE));
        }
        if (!framework.equals(Optional.of(TENSORFLOW))) {
            notes.addAll(unused(job, OUTPUT, TENSORFLOW));
        }
        return notes;
    }

    private static List<Note> unused(JobSpec job, EngineOption option, Framework framework) {
        Optional<OptionValue> given = job.option(option.name());
        boolean byDefault = given.isPresent()
                && option.defaultValue().equals(Optional.of(given.get().value()));
        return given.isEmpty() || byDefault
                ? List.of()
                : List.of(Note.warning(
                        given.get().origin() + " does nothing without --" + OPTION.name() + " " + framework.word));
    }
}
