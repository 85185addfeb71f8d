package dev.muster.engine.mpi;

import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** Horovod's front end with the arguments of Apulis' example. It passes the whole environment on by itself. */
final class HorovodCommand {

    private HorovodCommand() {}

    static List<Value> of(RankCommand wanted) {
        List<Value> words = new ArrayList<>();
        RankCommand.add(
                words,
                Launcher.HOROVODRUN.word(),
                "-np",
                Integer.toString(wanted.job().ranks()),
                "-hostfile");
        words.add(wanted.hostfile());
        wanted.port().ifPresent(port -> RankCommand.add(words, "-p", Integer.toString(port)));
        // It takes what it is given, also interfaces that are not there; the start script adds those of the default
        // that are.
        if (wanted.hosts() > 1 && wanted.job().interfaces().isChosen()) {
            RankCommand.add(
                    words, "--network-interface", wanted.job().interfaces().list());
        }
        words.addAll(Launch.literally(wanted.command()));
        return words;
    }
}
