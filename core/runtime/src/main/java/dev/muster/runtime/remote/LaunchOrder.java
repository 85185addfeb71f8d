package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.text.ShellQuotes;
import dev.muster.runtime.text.TextResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the hosts are told, on standard input: no argument list of ssh has anything of the job.
 *
 * @param targets all hosts, in the order of their nodes
 * @param archive what hosts without Muster get; empty: nothing
 * @param mark begins what a host answers
 * @param secret of the link
 */
record LaunchOrder(
        ProcessInfo processInfo,
        Invocation invocation,
        List<SshTarget> targets,
        Optional<PackageArchive> archive,
        String jobId,
        String mark,
        String secret) {

    /** What is this launcher's own affair, or is chosen for all hosts. */
    private static final Set<String> OWN = Set.of(
            OptionTable.ENGINE.name(),
            OptionTable.PLATFORM.name(),
            OptionTable.COLOR.name(),
            OptionTable.CONFIG.name(),
            OptionTable.JOB_ID.name(),
            OptionTable.HOSTS.name());

    /** What a host answers that has a Muster like this one. */
    static final String READY = "ready";

    /** How a Muster like this one begins its answer to {@code --version}. */
    static String version() {
        return "muster " + SpiVersion.ofMuster().orElse("") + ", SPI " + SpiVersion.ours();
    }

    /** What is run first: it answers whether the host is ready, and waits. */
    byte[] begin() {
        return ByteText.encode("muster_mark=" + mark
                + "\nmuster_dir="
                + ShellQuotes.quoted(invocation
                        .settings()
                        .path(OptionTable.WORKDIR)
                        .orElse(processInfo.directory())
                        .toString())
                + "\nmuster_home="
                + ShellQuotes.quoted(
                        processInfo.launcher().packageHome().orElseThrow().toString())
                + "\nmuster_sum=" + archive.map(PackageArchive::sum).orElse("")
                + "\nmuster_version=" + ShellQuotes.quoted(version() + ",")
                + "\n" + TextResource.read(LaunchOrder.class, "host.sh"));
    }

    /** What any shell of a user understands as it is, to run what {@link #begin} has. */
    static String reading(byte[] script) {
        return "exec /bin/sh -c 'eval \"$(head -c " + script.length + ")\"'";
    }

    /** In the order of their nodes. */
    String names() {
        return targets.stream().map(SshTarget::name).collect(Collectors.joining(","));
    }

    /**
     * The order to start the launcher of a node. Both of its streams become one, so that they keep their order. 255 is what ssh itself ends
     * with.
     */
    byte[] go(int index) {
        StringBuilder script = new StringBuilder();
        variables().forEach((name, value) -> script.append("export " + name + "=" + ShellQuotes.quoted(value) + "\n"));
        script.append("\"$muster\" ").append(ShellQuotes.line(arguments(index)));
        script.append(" 2>&1\nmuster_code=$?\nexit $((muster_code - muster_code / 255))\n");
        int length = ByteText.encode(script.toString()).length;
        return ByteText.encode("go " + length + "\n" + script);
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
        String[] parts = given.value().split("=", 2);
        String name = parts[0];
        boolean hasValue = parts.length == 2;
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*[*]?") || (hasValue && name.endsWith("*"))) {
            throw Settings.refusal(given, "is not NAME, NAME=VALUE or the beginning of names and *");
        }
        if (hasValue) {
            return Map.of(name, parts[1]);
        }
        Map<String, String> matching = new TreeMap<>(processInfo.environment().variables());
        matching.keySet().removeIf(own -> !own.matches(name.replace("*", "[A-Za-z0-9_]*")));
        if (matching.isEmpty() && !name.endsWith("*")) {
            throw Settings.refusal(given, "is not set here. Give it a value: NAME=VALUE");
        }
        return matching;
    }

    private List<String> arguments(int index) {
        Settings settings = invocation.settings();
        String platform =
                settings.given(OptionTable.PLATFORM).map(Setting::value).orElse("none");
        List<String> words = new ArrayList<>(List.of("launch", OptionTable.ENGINE.flag()));
        words.add(invocation.engine().descriptor().id());
        words.addAll(List.of(OptionTable.PLATFORM.flag(), platform, OptionTable.COLOR.flag(), "never"));
        words.addAll(List.of(OptionTable.JOB_ID.flag(), jobId, OptionTable.HOSTS.flag(), names()));
        words.addAll(List.of(OptionTable.NODE_INDEX.flag(), Integer.toString(index)));
        targets.get(index).host().slots().ifPresent(slots -> words.addAll(slots(settings, slots)));
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
        if (!option.belongsTo(Command.LAUNCH) || (isAlone && !setting.value().equals("true"))) {
            return List.of();
        }
        return isAlone ? List.of(option.flag()) : List.of(option.flag(), setting.value());
    }

    /** How many ranks a hostfile gives to a host, where the user gives no number for all. */
    private static List<String> slots(Settings settings, int slots) {
        String ofEngine = "slots";
        boolean hasOption =
                settings.optionsOfEngine().stream().map(Option::name).anyMatch(ofEngine::equals);
        boolean isChosen = Stream.of(ofEngine, OptionTable.CARDS.name(), OptionTable.CARD_IDS.name())
                .anyMatch(name -> settings.given(name).isPresent());
        String flag = hasOption ? "--" + ofEngine : OptionTable.CARDS.flag();
        return isChosen ? List.of() : List.of(flag, Integer.toString(slots));
    }
}
