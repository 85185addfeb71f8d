package dev.muster.runtime.remote;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.SshHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The system's ssh, with the user's configuration. Settings that the user leaves open are set so that a dead connection is noticed. */
record SshClient(String program, CommandRunner commands) {

    private static final Duration TO_ANSWER = Duration.ofSeconds(5);

    /**
     * Where a launcher is started.
     *
     * @param name the name by which other hosts know it
     * @param ssh the beginning of the command line: the program, then options; the remote command follows
     */
    record Target(SshHost host, String name, List<String> ssh) {}

    Target target(SshHost host) {
        Map<String, String> says = configuration(host);
        List<String> words = new ArrayList<>(List.of(program, "-T"));
        chooseOver("none", says, "ConnectTimeout", "30", words);
        chooseOver("0", says, "ServerAliveInterval", "15", words);
        if (!says.getOrDefault("remotecommand", "none").equals("none")) {
            words.addAll(List.of("-o", "RemoteCommand=none"));
        }
        words.addAll(host.words());
        String name = says.getOrDefault("hostname", host.name());
        return new Target(host, Hosts.isHost(name) ? name : host.name(), words);
    }

    private static void chooseOver(
            String unset, Map<String, String> says, String key, String value, List<String> words) {
        if (unset.equals(says.get(key.toLowerCase(Locale.ROOT)))) {
            words.addAll(List.of("-o", key + "=" + value));
        }
    }

    /** The configuration of ssh for a host. Empty if ssh fails: it reports the reason when it connects. */
    private Map<String, String> configuration(SshHost host) {
        List<String> question = new ArrayList<>(List.of(program, "-G"));
        question.addAll(host.words());
        Map<String, String> says = new HashMap<>();
        commands.ask(question, TO_ANSWER).output().lines().forEach(line -> {
            String[] words = line.split(" ", 2);
            says.put(words[0], words[words.length - 1]);
        });
        return says;
    }
}
