package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;

/** Who serves ssh on the nodes of the job. */
enum Sshd {
    /** Muster runs sshd with a configuration and keys of this job. */
    OWN("own"),
    /** Muster runs sshd with the configuration and the keys of the image, as ModelArts prepares them. */
    IMAGE("image"),
    /** The hosts of a given hostfile serve ssh already; there is no Muster on them. */
    NONE("none");

    private final String word;

    Sshd(String word) {
        this.word = word;
    }

    /** The choice of the user, else of the platform. */
    static Sshd of(JobSpec job) {
        String wanted = job.option(Options.SSHD).map(OptionValue::value).orElse(OWN.word);
        for (Sshd sshd : values()) {
            if (sshd.word.equals(wanted)) {
                return sshd;
            }
        }
        throw new IllegalArgumentException(Options.SSHD + "=" + wanted); // the runtime has checked the choice
    }

    String word() {
        return word;
    }
}
