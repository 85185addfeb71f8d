package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A launch in a recorded environment, with an engine and perhaps changes: {@code volcano-worker-1 | torch | -VC_TASK_INDEX}.
 * A change is {@code NAME=VALUE} or {@code -NAME} for a variable, {@code --name=value} for an option, {@code host=NAME},
 * {@code file PATH=CONTENT}, {@code answer COMMAND=OUTPUT}, {@code plan} for {@code muster plan}, or {@code no readers}: then
 * Muster recognises no platform.
 */
final class PlatformCase {

    private static final Set<String> SHOWN = Set.of("platform", "job-id", "nodes", "node-index", "cards");

    private static final List<EngineDescriptor> ENGINES =
            List.of(TestEngines.PLAIN, TestEngines.TORCH, TestEngines.ASCEND, TestEngines.MPI, TestEngines.TENSORFLOW);

    private final List<String> words;
    private final EngineDescriptor engine;
    private final Map<String, String> environment = new TreeMap<>();
    private final Map<String, String> files = new TreeMap<>();
    private final Map<String, String> answers = new TreeMap<>();
    private final List<String> options = new ArrayList<>();
    private String host = "host";
    private Command command = Command.LAUNCH;
    private List<? extends Platform> platforms = KnownPlatform.ALL;

    private PlatformCase(List<String> words) {
        this.words = words;
        this.engine = ENGINES.stream()
                .filter(one -> one.id().equals(words.get(1)))
                .findFirst()
                .orElseThrow();
        if (!words.get(0).equals("alone")) {
            Recorded recorded = Recorded.of(words.get(0));
            environment.putAll(recorded.environment());
            files.putAll(recorded.files());
            answers.putAll(recorded.answers());
            host = recorded.hostName();
        }
        words.subList(2, words.size()).forEach(this::change);
    }

    private void change(String word) {
        String name = word.substring(0, Math.max(0, word.indexOf('=')));
        String value = word.substring(word.indexOf('=') + 1).translateEscapes();
        if (word.equals("plan")) {
            command = Command.PLAN;
        } else if (word.equals("no readers")) {
            platforms = List.of(KnownPlatform.none());
        } else if (word.startsWith("--")) {
            options.addAll(List.of(name.substring(2), value));
        } else if (word.startsWith("-")) {
            environment.remove(word.substring(1));
        } else if (name.equals("host")) {
            host = value;
        } else {
            changed(name).put(name.substring(name.indexOf(' ') + 1), value);
        }
    }

    private Map<String, String> changed(String name) {
        return name.startsWith("file ") ? files : name.startsWith("answer ") ? answers : environment;
    }

    static PlatformCase of(String line) {
        return new PlatformCase(List.of(line.split(" \\| ")));
    }

    /** The result of the launch. A case with another engine or with changes gives only the differences. */
    List<String> lines(Path root) {
        List<String> record = record(root.resolve("case"));
        boolean isPlain = words.get(0).equals("alone")
                || (words.size() == 2 && words.get(1).equals("plain"));
        if (isPlain || record.get(0).startsWith("refused")) {
            return record;
        }
        String other = words.size() == 2 ? "plain" : engine.id();
        List<String> plain = new PlatformCase(List.of(words.get(0), other)).record(root.resolve("plain"));
        List<String> changes = new ArrayList<>();
        plain.stream().filter(line -> !record.contains(line)).forEach(line -> changes.add("- " + line));
        record.stream().filter(line -> !plain.contains(line)).forEach(line -> changes.add("+ " + line));
        return changes.isEmpty() ? List.of("the same") : changes;
    }

    private List<String> record(Path root) {
        List<String> lines = new ArrayList<>();
        try {
            Recorded recorded = new Recorded(words.get(0), "", 0, 0, "", host, environment, files, answers);
            add(lines, recorded.jobOf(root, engine, platforms, command, options.toArray(String[]::new)));
        } catch (MusterException refused) {
            lines.add("refused " + refused.exitCode() + ": " + refused.getMessage());
        }
        return lines.stream()
                .map(line ->
                        line.replace(root.toString(), "").replaceAll("muster-[0-9-]{15}-[0-9]+", "muster-TIME-PID"))
                .toList();
    }

    private static void add(List<String> lines, ResolvedJob resolved) {
        lines.add("platform " + resolved.platform().name() + ": "
                + resolved.platform().explanation());
        for (String name : List.of("job-id", "nodes", "node-index")) {
            resolved.settings().list().stream()
                    .filter(setting -> setting.name().equals(name))
                    .forEach(setting -> lines.add(text(setting)));
        }
        addNode(lines, resolved.node());
        for (Setting setting : resolved.settings().list()) {
            if (setting.source() == Setting.Source.PLATFORM && !SHOWN.contains(setting.name())) {
                lines.add("option " + text(setting));
            }
        }
        addContract(lines, resolved.platform().contract());
        addLink(lines, resolved.platform().info());
        resolved.startCounts().ifPresent(counts -> lines.add("starts " + counts));
        addAll(lines, "not for processes ", String.join(" ", resolved.foreignVariables()));
        for (Claim claim : resolved.unusedSigns()) {
            String nodes = claim.nodes().stream().mapToObj(Integer::toString).collect(Collectors.joining());
            lines.add((claim.isDoubtful() ? "doubt " : "contradiction ") + nodes + ": " + claim.text());
        }
        resolved.warnings().forEach(warning -> lines.add("warning " + warning));
    }

    private static void addNode(List<String> lines, Node node) {
        node.elastic().ifPresent(range -> lines.add("elastic " + text(range)));
        node.name().ifPresent(name -> lines.add("name " + text(name)));
        node.address().ifPresent(address -> lines.add("address " + text(address)));
        node.role().ifPresent(role -> lines.add("role " + role));
        addAll(lines, "hosts ", hosts(node.hosts()));
        new TreeMap<>(node.hostsByRole()).forEach((role, hosts) -> lines.add("hosts of " + role + " " + hosts(hosts)));
        CardChoice cards = node.cards();
        cards.count().ifPresent(count -> lines.add("cards " + count + " " + cards.ids() + " (" + cards.origin() + ")"));
    }

    private static void addLink(List<String> lines, PlatformInfo info) {
        info.linkKey().ifPresent(key -> lines.add("key " + key.origin()));
        info.exitDelay().ifPresent(time -> lines.add("launchers stay " + time));
    }

    private static void addContract(List<String> lines, PlatformContract contract) {
        addAll(lines, "each node's own ", String.join(" ", contract.localVariables()));
        addAll(lines, "variables ", String.join(" ", contract.variables()));
        contract.rankTable().ifPresent(table -> lines.add("table " + table));
        contract.resourceManager().ifPresent(manager -> lines.add("resource manager " + manager));
        contract.rendezvousPort().ifPresent(port -> lines.add("port " + port));
    }

    private static void addAll(List<String> lines, String about, String text) {
        if (!text.isEmpty()) {
            lines.add(about + text);
        }
    }

    private static String hosts(List<Host> hosts) {
        return hosts.stream()
                .map(host -> host.name()
                        + host.address().map(address -> "=" + address).orElse("")
                        + (host.port().isPresent() ? ":" + host.port().getAsInt() : ""))
                .collect(Collectors.joining(","));
    }

    private static String text(Setting setting) {
        return setting.name() + " " + setting.value() + " (" + setting.origin() + ")";
    }

    private static String text(OptionValue value) {
        return value.value() + " (" + value.origin() + ")";
    }
}
