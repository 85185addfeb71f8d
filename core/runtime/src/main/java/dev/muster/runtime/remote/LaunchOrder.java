package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
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

/**
 * What the hosts are told, on standard input: no argument list of ssh has anything of the job.
 *
 * @param names of all hosts, in the order of their nodes
 * @param mark begins what a host answers
 * @param sum of the package, by which a copy of it is called; may be empty
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

    /** What is this launcher's own affair, or is chosen for all hosts. */
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

    /** How a Muster like this one begins its answer to {@code --version}. */
    static String version() {
        return "muster " + SpiVersion.ofMuster().orElse("") + ", SPI " + SpiVersion.ours();
    }

    /** What is run first: it answers whether the host is ready, and waits. */
    byte[] begin() {
        return ByteText.encode("muster_mark=" + mark
                + "\nmuster_dir=" + ShellQuotes.quoted(directory().toString())
                + "\nmuster_home=" + ShellQuotes.quoted(home())
                + "\nmuster_sum=" + sum
                + "\nmuster_version=" + ShellQuotes.quoted(version() + ",")
                + "\n" + TextResource.read(LaunchOrder.class, "host.sh"));
    }

    /** What any shell of a user understands as it is, to run what {@link #begin} has. */
    static String reading(byte[] script) {
        return "exec /bin/sh -c 'eval \"$(head -c " + script.length + ")\"'";
    }

    /** The order to start the launcher. Both of its streams become one, so that they keep their order. */
    byte[] go(int index, SshHost host) {
        StringBuilder script = new StringBuilder();
        variables()
                .forEach((name, value) -> script.append("export ")
                        .append(name)
                        .append('=')
                        .append(ShellQuotes.quoted(value))
                        .append('\n'));
        script.append("\"$muster\" ").append(ShellQuotes.line(arguments(index, host)));
        script.append(" 2>&1\nsay exit $?\nexit\n");
        int length = ByteText.encode(script.toString()).length;
        return ByteText.encode("go " + length + "\n" + script);
    }

    private Path directory() {
        return invocation.settings().path(OptionTable.WORKDIR).orElse(processInfo.directory());
    }

    private String home() {
        return processInfo.launcher().packageHome().orElseThrow().toString();
    }

    private SortedMap<String, String> variables() {
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
        SortedMap<String, String> own = processInfo.environment().variables();
        String text = given.value();
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*[*]?") || (equals >= 0 && name.endsWith("*"))) {
            throw Settings.refusal(given, "is not NAME, NAME=VALUE or the beginning of names and *");
        }
        if (name.endsWith("*")) {
            String begin = name.substring(0, name.length() - 1);
            SortedMap<String, String> matching = new TreeMap<>(own.tailMap(begin));
            matching.keySet().removeIf(other -> !other.startsWith(begin) || !other.matches("[A-Za-z0-9_]+"));
            return matching;
        }
        String value = equals < 0 ? own.get(name) : text.substring(equals + 1);
        if (value == null) {
            throw Settings.refusal(given, "is not set here. Give it a value: NAME=VALUE");
        }
        return Map.of(name, value);
    }

    private List<String> arguments(int index, SshHost host) {
        Settings settings = invocation.settings();
        String platform =
                settings.given(OptionTable.PLATFORM).map(Setting::value).orElse("none");
        List<String> words = new ArrayList<>(List.of("launch", OptionTable.ENGINE.flag()));
        words.add(invocation.engine().descriptor().id());
        words.addAll(List.of(OptionTable.PLATFORM.flag(), platform, OptionTable.COLOR.flag(), "never"));
        words.addAll(List.of(OptionTable.JOB_ID.flag(), jobId, OptionTable.HOSTS.flag(), String.join(",", names)));
        words.addAll(List.of(OptionTable.NODE_INDEX.flag(), Integer.toString(index)));
        host.slots().ifPresent(slots -> words.addAll(slots(settings, slots)));
        settings.list().stream()
                .filter(setting -> setting.source() != Setting.Source.DEFAULT && !OWN.contains(setting.name()))
                .forEach(setting -> words.addAll(words(setting)));
        words.add("--");
        words.addAll(invocation.job());
        return words;
    }

    private List<String> words(Setting setting) {
        Option option = invocation.engine().options().find(setting.name()).orElseThrow();
        boolean isAlone = option.form().isSwitch() && !option.is(Option.Trait.OF_ENGINE);
        if (isAlone) {
            return setting.value().equals("true") ? List.of(option.flag()) : List.of();
        }
        return List.of(option.flag(), setting.value());
    }

    /** How many ranks a hostfile gives to a host, where the user gives no number for all. */
    private static List<String> slots(Settings settings, int slots) {
        String ofEngine = "slots";
        boolean hasOption =
                settings.optionsOfEngine().stream().map(Option::name).anyMatch(ofEngine::equals);
        boolean isChosen = settings.given(ofEngine).isPresent()
                || settings.given(OptionTable.CARDS).isPresent()
                || settings.given(OptionTable.CARD_IDS).isPresent();
        String flag = hasOption ? "--" + ofEngine : OptionTable.CARDS.flag();
        return isChosen ? List.of() : List.of(flag, Integer.toString(slots));
    }
}
