package dev.muster.runtime.remote;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SshHost;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.Trust;
import dev.muster.runtime.platform.Hostlist;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where {@code muster run} finds its hosts: on the command line, in a hostfile, or in the variables of Slurm or PBS. */
record HostSource(Settings settings, ProcessInfo processInfo) {

    private static final Pattern SLOTS = Pattern.compile("slots=([1-9][0-9]{0,3})|max[-_]slots=[0-9]+");

    /**
     * The hosts, in the order of their nodes.
     *
     * @throws MusterException no hosts are given, or they are not valid
     */
    List<SshHost> hosts() {
        Optional<Setting> list = settings.given(OptionTable.HOSTS);
        Optional<Setting> source = settings.given(OptionTable.HOSTS_FROM);
        if (list.isPresent() == source.isPresent()) {
            throw MusterException.usage("muster run needs " + OptionTable.HOSTS.usage() + " or "
                    + OptionTable.HOSTS_FROM.usage() + (list.isPresent() ? ", not both" : ""));
        }
        List<SshHost> hosts = list.map(given -> SshHost.parseAll(given.value())).orElseGet(() -> from(source.get()));
        settings.given(OptionTable.NODES)
                .filter(nodes -> Integer.parseInt(nodes.value()) != hosts.size())
                .ifPresent(nodes -> {
                    throw Settings.refusal(
                            nodes,
                            "does not agree with the " + hosts.size() + " hosts of "
                                    + list.or(() -> source).orElseThrow().origin());
                });
        return hosts;
    }

    private List<SshHost> from(Setting source) {
        return switch (source.value()) {
            case "slurm" -> ofSlurm(source, variable(source, "SLURM_JOB_NODELIST"));
            case "pbs" -> ofFile(source, variable(source, "PBS_NODEFILE"));
            default -> ofFile(source, source.value());
        };
    }

    private String variable(Setting source, String name) {
        return processInfo
                .environment()
                .value(name)
                .orElseThrow(() -> Settings.refusal(source, "needs the variable " + name + ", which is not set here"));
    }

    private static List<SshHost> ofSlurm(Setting source, String list) {
        try {
            return SshHost.parseAll(String.join(",", Hostlist.parse(list)));
        } catch (IllegalArgumentException problem) {
            throw Settings.refusal(source, "says " + Printable.quote(list) + ", which " + problem.getMessage());
        }
    }

    /** The hosts of a file. A repeated host, as in a file of PBS, counts once. */
    private List<SshHost> ofFile(Setting source, String name) {
        List<SshHost> hosts = new ArrayList<>();
        Path file = processInfo.directory().resolve(Path.of(name));
        try {
            requireTrust(file, name);
            requireFile(source, file);
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.replaceFirst("#.*", "").strip();
                String where = Printable.escape(name) + " line " + number;
                Optional<SshHost> host = text.isEmpty() ? Optional.empty() : Optional.of(ofLine(source, where, text));
                host.filter(one -> !hosts.contains(one)).ifPresent(hosts::add);
            }
        } catch (IOException unreadable) {
            throw Settings.refusal(source, "cannot be read: " + IoReasons.of(unreadable));
        }
        if (hosts.isEmpty()) {
            throw Settings.refusal(source, "names no host");
        }
        return hosts;
    }

    /** A writer of the file decides which hosts get the values of {@code --env}. */
    private static void requireTrust(Path file, String name) throws IOException {
        Optional<Trust.Flaw> flaw = Trust.ofData(file).refusal();
        if (flaw.isPresent()) {
            String what = Printable.escape(flaw.get().of(file));
            throw new MusterException(ExitCode.DATA, Printable.quote(name) + " " + what + "; refused");
        }
    }

    private static void requireFile(Setting source, Path file) {
        if (!Files.isRegularFile(file)) {
            throw Settings.refusal(source, "is not a regular file");
        }
    }

    private static SshHost ofLine(Setting source, String where, String line) {
        String[] words = line.split("\\s+", -1);
        SshHost host = SshHost.parse(words[0])
                .orElseThrow(() -> Settings.refusal(source, "has no host in " + where + ": " + Printable.quote(line)));
        for (String word : List.of(words).subList(1, words.length)) {
            Matcher known = SLOTS.matcher(word);
            if (!known.matches()) {
                throw Settings.refusal(source, "has " + Printable.quote(word) + " in " + where + ", and not slots=N");
            }
            if (known.group(1) != null) {
                host = host.withSlots(OptionalInt.of(Integer.parseInt(known.group(1))));
            }
        }
        return host;
    }
}
