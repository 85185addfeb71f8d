package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SshHost;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.text.ShellQuotes;
import dev.muster.runtime.text.TextResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the hosts get on standard input. The argument list of ssh contains nothing of the job.
 *
 * @param names of all hosts, in the order of their nodes
 * @param mark begins each answer of a host
 * @param sum the package's checksum, which names a copy of it; may be empty
 * @param secret of the link
 */
record LaunchOrder(
        ProcessInfo processInfo,
        Invocation invocation,
        List<String> names,
        String jobId,
        String mark,
        String sum,
        String secret) {

    private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

    /** Options for this launcher only, or that it sets for all hosts. */
    private static final Set<String> OWN = Set.of(
            OptionTable.ENGINE.name(),
            OptionTable.PLATFORM.name(),
            OptionTable.COLOR.name(),
            OptionTable.CONFIG.name(),
            OptionTable.JOB_ID.name(),
            OptionTable.HOSTS.name(),
            OptionTable.HOSTS_FROM.name(),
            OptionTable.COPY.name(),
            OptionTable.ENV.name());

    /** How the answer of an equal Muster to {@code --version} begins. */
    static String version() {
        return "muster " + SpiVersion.ofMuster().orElse("") + ", SPI " + SpiVersion.ours();
    }

    /** The first script. It answers whether the host is ready, and waits. */
    byte[] begin() {
        Path directory = invocation.settings().path(OptionTable.WORKDIR).orElse(processInfo.directory());
        Path home = processInfo.launcher().packageHome().orElseThrow();
        return ByteText.encode("muster_mark=" + mark
                + "\nmuster_dir=" + ShellQuotes.quoted(directory.toString())
                + "\nmuster_home=" + ShellQuotes.quoted(home.toString())
                + "\nmuster_sum=" + sum
                + "\nmuster_version=" + ShellQuotes.quoted(version() + ",")
                + "\n" + TextResource.read(LaunchOrder.class, "host.sh"));
    }

    /** A command that any login shell accepts. It reads and runs the script of {@link #begin}. */
    static String reading(byte[] script) {
        return "exec /bin/sh -c 'eval \"$(head -c " + script.length + ")\"'";
    }

    /** The order to start the launcher. Its two streams become one, so that they keep their order. The other stream is for answers. */
    byte[] go(int index, SshHost host) {
        String exports = variables().entrySet().stream()
                .map(each -> "export " + each.getKey() + "=" + ShellQuotes.quoted(each.getValue()) + "\n")
                .collect(Collectors.joining());
        String launcher = "\"$muster\" " + ShellQuotes.line(arguments(index, host));
        String script = exports + launcher + " >&2\nsay exit $?\nexit\n";
        return ByteText.encode("go " + ByteText.encode(script).length + "\n" + script);
    }

    /** @throws dev.muster.runtime.errors.MusterException a value of {@code --env} is wrong */
    SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>();
        for (Setting given : invocation.settings().all(OptionTable.ENV)) {
            variables.putAll(variables(given));
        }
        variables.put(CallerContext.BY_SSH, "1");
        if (invocation.settings().given(OptionTable.LINK_SECRET).isEmpty()) {
            variables.put(ProcessInfo.LINK_SECRET, secret);
        }
        return variables;
    }

    private Map<String, String> variables(Setting given) {
        SortedMap<String, String> own = new TreeMap<>(processInfo.environment().variables());
        String[] words = given.value().split("=", 2);
        String begin = words[0].replaceFirst("[*]$", "");
        boolean isBegin = words.length == 1 && !begin.equals(words[0]);
        if (!(isBegin ? begin : words[0]).matches(NAME)) {
            throw Settings.refusal(given, "is not NAME, NAME=VALUE or the beginning of names and *");
        }
        if (isBegin) {
            own.keySet().removeIf(name -> !name.startsWith(begin) || !name.matches(NAME));
            return own;
        }
        String value = words.length == 1 ? own.get(begin) : words[1];
        if (value == null) {
            throw Settings.refusal(given, "is not set here. Give it a value: NAME=VALUE");
        }
        return Map.of(begin, value);
    }

    private List<String> arguments(int index, SshHost host) {
        Settings settings = invocation.settings();
        String platform =
                settings.given(OptionTable.PLATFORM).map(Setting::value).orElse("none");
        List<String> words = new ArrayList<>(List.of("launch"));
        words.addAll(OptionTable.ENGINE.words(invocation.engine().descriptor().id()));
        words.addAll(OptionTable.PLATFORM.words(platform));
        words.addAll(OptionTable.COLOR.words("never"));
        words.addAll(OptionTable.JOB_ID.words(jobId));
        words.addAll(OptionTable.HOSTS.words(String.join(",", names)));
        words.addAll(OptionTable.NODE_INDEX.words(Integer.toString(index)));
        host.slots().ifPresent(slots -> words.addAll(slots(slots)));
        KnownOptions known = invocation.engine().options();
        settings.list().stream()
                .filter(setting -> setting.source() != Setting.Source.DEFAULT && !OWN.contains(setting.name()))
                .forEach(setting ->
                        words.addAll(known.find(setting.name()).orElseThrow().words(setting.value())));
        words.add("--");
        words.addAll(invocation.job());
        return words;
    }

    /** The number of ranks for a host in a hostfile, unless the user gives a number for all hosts. */
    private List<String> slots(int slots) {
        Option option = invocation.engine().options().find("slots").orElse(OptionTable.CARDS);
        boolean isChosen = Stream.of(option, OptionTable.CARDS, OptionTable.CARD_IDS)
                .anyMatch(given -> invocation.settings().given(given).isPresent());
        return isChosen ? List.of() : option.words(Integer.toString(slots));
    }
}
