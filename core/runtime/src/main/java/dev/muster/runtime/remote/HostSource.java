package dev.muster.runtime.remote;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SshHost;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.platform.Hostlist;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where {@code muster run} finds its hosts: on the command line, in a hostfile, or in what Slurm or PBS says. */
record HostSource(Settings settings, ProcessInfo processInfo) {

    private static final Pattern SLOTS = Pattern.compile("slots=([1-9][0-9]{0,3})|max[-_]slots=[0-9]+");

    /**
     * The hosts, in the order of their nodes.
     *
     * @throws MusterException when there are none, or they cannot be understood
     */
    List<SshHost> hosts() {
        Optional<Setting> list = settings.given(OptionTable.HOSTS);
        Optional<Setting> source = settings.given(OptionTable.HOSTS_FROM);
        if (list.isPresent() == source.isPresent()) {
            throw MusterException.usage("muster run needs " + OptionTable.HOSTS.usage() + " or "
                    + OptionTable.HOSTS_FROM.usage() + (list.isPresent() ? ", not both" : ""));
        }
        return list.map(given -> SshHost.parseAll(given.value())).orElseGet(() -> from(source.orElseThrow()));
    }

    /** A host that comes again, as in a file of PBS, is the same. */
    private List<SshHost> from(Setting source) {
        List<SshHost> hosts = new ArrayList<>();
        int number = 0;
        for (String line : lines(source)) {
            number++;
            String text = line.replaceFirst("#.*", "").strip();
            if (!text.isEmpty()) {
                hosts.add(host(source, text, number));
            }
        }
        if (hosts.isEmpty()) {
            throw Settings.refusal(source, "names no host");
        }
        return hosts.stream().distinct().toList();
    }

    private List<String> lines(Setting source) {
        try {
            return switch (source.value()) {
                case "slurm" -> Hostlist.parse(variable(source, "SLURM_JOB_NODELIST"));
                default -> Files.readAllLines(processInfo.directory().resolve(file(source)));
            };
        } catch (Hostlist.Invalid problem) {
            String list = variable(source, "SLURM_JOB_NODELIST");
            throw Settings.refusal(source, "says " + Printable.quote(list) + ", which " + problem.getMessage());
        } catch (IOException unreadable) {
            throw Settings.refusal(source, "cannot be read: " + IoReasons.of(unreadable));
        }
    }

    private String file(Setting source) {
        return source.value().equals("pbs") ? variable(source, "PBS_NODEFILE") : source.value();
    }

    private String variable(Setting source, String name) {
        return processInfo
                .environment()
                .value(name)
                .orElseThrow(() -> Settings.refusal(source, "needs the variable " + name + ", which is not set here"));
    }

    private SshHost host(Setting source, String line, int number) {
        String where = " in " + Printable.escape(file(source)) + " line " + number;
        String[] words = line.split("\\s+", -1);
        SshHost host = SshHost.parse(words[0])
                .orElseThrow(() -> Settings.refusal(source, "has no host" + where + ": " + Printable.quote(line)));
        for (String word : List.of(words).subList(1, words.length)) {
            Matcher known = SLOTS.matcher(word);
            if (!known.matches()) {
                throw Settings.refusal(source, "has " + Printable.quote(word) + where + ", and not slots=N");
            }
            host = known.group(1) == null ? host : host.withSlots(Integer.parseInt(known.group(1)));
        }
        return host;
    }
}
