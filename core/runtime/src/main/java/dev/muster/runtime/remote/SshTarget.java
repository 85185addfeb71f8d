package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.SshHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a launcher is started, by the system's own ssh with the user's configuration.
 *
 * @param name by which other hosts know it
 * @param ssh the beginning of the command line; what the host's shell runs follows
 */
record SshTarget(SshHost host, String name, List<String> ssh) {

    private static final Duration TO_ANSWER = Duration.ofSeconds(5);

    /** So that a dead connection is noticed: what is chosen where ssh says that nothing else is. */
    private static final Map<String, String> CHOSEN =
            Map.of("connecttimeout none", "ConnectTimeout=30", "serveraliveinterval 0", "ServerAliveInterval=15");

    /** Where ssh cannot tell how it will connect, it says why when it is to. */
    static SshTarget of(SshHost host, String program, CommandRunner commands) {
        List<String> question = new ArrayList<>(List.of(program, "-G"));
        question.addAll(host.words());
        List<String> words = new ArrayList<>(List.of(program, "-T", "-o", "BatchMode=yes"));
        String name = host.name();
        for (String line : commands.ask(question, TO_ANSWER).output().lines().toList()) {
            Optional.ofNullable(CHOSEN.get(line)).ifPresent(choice -> words.addAll(List.of("-o", choice)));
            if (line.startsWith("remotecommand ") && !line.equals("remotecommand none")) {
                words.addAll(List.of("-o", "RemoteCommand=none"));
            }
            String address = line.replaceFirst("^hostname ", "");
            name = !address.equals(line) && Hosts.isHost(address) ? address : name;
        }
        words.addAll(host.words());
        return new SshTarget(host, name, words);
    }
}
