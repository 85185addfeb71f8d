package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;

/** What starts the ranks. */
enum Launcher {
    MPIRUN("mpirun"),
    /** Horovod's front end, which itself runs mpirun or its own ssh calls. */
    HOROVODRUN("horovodrun");

    private final String word;

    Launcher(String word) {
        this.word = word;
    }

    static Launcher of(JobSpec job) {
        String wanted = job.option(Options.LAUNCHER).map(OptionValue::value).orElse(MPIRUN.word);
        return wanted.equals(HOROVODRUN.word) ? HOROVODRUN : MPIRUN;
    }

    /** The value of the option, which is the program's name too. */
    String word() {
        return word;
    }
}
