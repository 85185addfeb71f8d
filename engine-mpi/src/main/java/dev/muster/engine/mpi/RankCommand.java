package dev.muster.engine.mpi;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;

/**
 * What a program that starts ranks has to be told, whichever it is.
 *
 * @param job whose ranks it starts
 * @param hostfile its path
 * @param ssh the arguments for its calls of ssh; empty: there are none
 * @param port of the hosts' sshd; empty: there is none, or the user's ssh configuration says it
 * @param names of the variables that it passes on
 */
record RankCommand(MpiJob job, Value hostfile, Optional<Value> ssh, Optional<Integer> port, List<String> names) {

    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

    RankCommand {
        names = List.copyOf(names);
    }

    Mpi.Kind kind() {
        return job.mpi().kind();
    }

    int hosts() {
        return job.assignment().hosts().size();
    }

    /** Whether there is an LD_LIBRARY_PATH to pass on, unless every node has one of its own. */
    boolean hasLibraryPath() {
        return job.spec().environment().containsKey(LIBRARY_PATH)
                && (job.assignment().isAlone() || names.contains(LIBRARY_PATH));
    }

    /** The user's, in the shell that becomes a rank where every host has a launcher. */
    List<String> command() {
        List<String> command = job.spec().command();
        return job.hasLaunchers() ? RankShell.around(job.shell(), command) : command;
    }

    static void add(List<Value> words, String... more) {
        words.addAll(Launch.literally(List.of(more)));
    }
}
