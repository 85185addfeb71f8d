package dev.muster.engine.mpi;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import java.util.Locale;
import java.util.stream.Stream;

/** Who runs sshd on the nodes of the job. */
enum Sshd {
    /** Muster runs sshd with a configuration and keys of this job. */
    OWN,
    /** Muster runs sshd with the configuration and the keys of the image, as ModelArts prepares them. */
    IMAGE,
    /** The hosts of a given hostfile run sshd already; Muster does not run there. */
    NONE,
    /** The platform runs sshd, and Muster on every node. Node 0 starts the ranks, the others wait for its end. */
    PLATFORM;

    static final EngineOption OPTION = EngineOption.choice(
            Options.SSHD,
            "who serves ssh on the nodes: Muster, with a configuration and keys of this job; the sshd of"
                    + " the image with its own; hosts of a given hostfile, without a Muster there; or the"
                    + " platform, with Muster on all nodes: node 0 starts the ranks, the others wait",
            Stream.of(values()).map(Sshd::word).toArray(String[]::new));

    /** The choice of the user, else of the platform. */
    static Sshd of(JobSpec job) {
        String word = job.option(Options.SSHD).map(OptionValue::value).orElse(OWN.word());
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** The value of the option. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether Muster runs sshd, on every host with ranks. */
    boolean isOfJob() {
        return this == OWN || this == IMAGE;
    }
}
