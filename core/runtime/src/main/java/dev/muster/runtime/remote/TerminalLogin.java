package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.SupervisedCommand;
import dev.muster.runtime.commands.TerminalCommand;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.text.ShellQuotes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Lets ssh ask on the user's terminal for a password or passphrase, or to confirm a host key. Later calls of ssh use these connections.
 *
 * @param place of their sockets
 */
record TerminalLogin(
        ProcessSupervisor supervisor, CommandContext context, TerminalCommand command, RunDirectory place) {

    private static final Duration TO_LEAVE = Duration.ofSeconds(5);

    /** The sockets are in the temporary directory, because their paths must be short. */
    static TerminalLogin of(ProcessSupervisor supervisor, CommandContext context) throws IOException {
        RunDirectory place = RunDirectory.of(Map.of(), RunDirectory.TEMPORARY);
        return new TerminalLogin(supervisor, context, new TerminalCommand(supervisor, context), place);
    }

    /** Begins to connect to each host in turn, until one refuses. It ignores SIGHUP, so that the connections outlive the terminal. */
    void start(List<RemoteLauncher> hosts, Runnable end) throws IOException {
        String logins = line(hosts, " && ", "-fN", "-oControlMaster=yes", "-oControlPersist=300", connection());
        command.start("trap '' HUP; " + logins, end);
    }

    private static String line(List<RemoteLauncher> hosts, String separator, String... options) {
        return hosts.stream().map(host -> ShellQuotes.line(host.ssh(options))).collect(Collectors.joining(separator));
    }

    /** The option with which ssh finds the connection to its host. */
    String connection() {
        return "-oControlPath=" + place.path() + "/%C";
    }

    /** Ends the connections, and waits until their sockets are gone. */
    void end(List<RemoteLauncher> hosts) throws InterruptedException {
        String wait = "; for s in " + place.path() + "/*; do while [ -S \"$s\" ]; do sleep 0.1; done; done";
        try {
            SupervisedCommand exit = new SupervisedCommand(supervisor, context);
            exit.start(List.of("/bin/sh", "-c", line(hosts, "; ", "-Oexit", connection()) + wait));
            exit.await(TO_LEAVE);
        } catch (IOException refused) {
            // The connections end by themselves later.
        }
        place.close();
    }
}
