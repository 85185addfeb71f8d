package dev.muster.engine.mpi;

import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;

/**
 * What a program that starts ranks has to be told, whichever it is.
 *
 * @param kind the MPI
 * @param ranks how many in all; empty: as many as the hostfile has room for
 * @param slots how many per host; empty: the hostfile has it for each
 * @param hosts how many hosts
 * @param isOneMachine whether these are one machine at several loopback addresses
 * @param hostfile its path
 * @param ssh the arguments for its calls of ssh; empty: there are none
 * @param port of the hosts' sshd; empty: there is none, or the user's ssh configuration says it
 * @param interfaces the list as given
 * @param isInterfaceChosen whether somebody gave it
 * @param names of the variables that it passes on
 * @param hasLibraryPath whether there is an LD_LIBRARY_PATH to pass on
 * @param isRoot whether it runs with uid 0
 * @param command the user's
 */
record RankCommand(
        Mpi.Kind kind,
        Optional<Integer> ranks,
        Optional<Integer> slots,
        int hosts,
        boolean isOneMachine,
        Optional<Value> hostfile,
        Optional<Value> ssh,
        Optional<Integer> port,
        String interfaces,
        boolean isInterfaceChosen,
        List<String> names,
        boolean hasLibraryPath,
        boolean isRoot,
        List<String> command) {

    RankCommand {
        names = List.copyOf(names);
        command = List.copyOf(command);
    }
}
