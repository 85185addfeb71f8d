package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Host;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Places;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Puts together what platform and options say. Options win, but for the job's id. */
public final class SiteReader {

    private static final String LOGS = "muster-logs";

    private final Evidence evidence;
    private final Settings settings;
    private final Platform platform;
    private final DetectedPlatform detected;
    private final List<Setting> decided = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private SiteReader(Evidence evidence, Settings settings, PlatformDetector.Found found) {
        this.evidence = evidence;
        this.settings = settings;
        this.platform = found.platform();
        this.detected = found.detected();
    }

    /**
     * The site of this launcher.
     *
     * @param commands asked for what no variable tells
     * @param clock for the id of a job that nobody named
     * @throws MusterException when variables are missing or wrong, or contradict options
     */
    public static Site read(Evidence evidence, Settings settings, Commands commands, Clock clock) {
        return read(evidence, settings, commands, clock, Platforms.ALL);
    }

    static Site read(
            Evidence evidence, Settings settings, Commands commands, Clock clock, List<KnownPlatform> platforms) {
        PlatformDetector.Found found = new PlatformDetector(platforms).find(evidence, settings);
        return new SiteReader(evidence, settings, found).read(commands, clock);
    }

    private Site read(Commands commands, Clock clock) {
        decided.add(new Setting(OptionTable.PLATFORM.name(), detected.name(), detected.why(), Setting.Source.PLATFORM));
        refuseWhereNothingCanStart();
        String jobId = jobId(clock);
        Node node = node();
        Places places = places();
        engineOptions();
        refuseWhereNodesDisagree(node, commands);
        add(grace(commands));
        if (settings.given(OptionTable.RESET_FILE).isEmpty()) {
            add(platform.resetFile());
        }
        warnings.addAll(platform.warnings());
        return new Site(
                detected,
                jobId,
                StartCounts.read(evidence, platform.startCounts(), warnings::add),
                node,
                places,
                settings.with(decided),
                foreignVariables(),
                SignVariables.areThere(evidence) ? Signs.unheard(evidence, settings, detected.name(), node) : List.of(),
                new LinkTerms(platform.linkKey(), platform.hasMunge(), platform.staysFor()),
                warnings);
    }

    /** Whoever says himself how many nodes there are, and which one this is, needs no platform for it. */
    private void refuseWhereNothingCanStart() {
        boolean isSaid = settings.given(OptionTable.NODES).isPresent()
                || settings.given(OptionTable.HOSTS).isPresent();
        Optional<String> refusal = isSaid ? Optional.empty() : platform.refusal();
        if (refusal.isPresent()) {
            throw MusterException.configuration(refusal.get());
        }
    }

    private void refuseWhereNodesDisagree(Node node, Commands commands) {
        boolean isSaid = settings.given(OptionTable.CARDS).isPresent()
                || settings.given(OptionTable.CARD_IDS).isPresent();
        Optional<String> disagreement =
                isSaid || node.count().orElse(1) == 1 ? Optional.empty() : platform.disagreement(commands);
        if (disagreement.isPresent()) {
            throw MusterException.configuration(disagreement.get());
        }
    }

    private Optional<Setting> grace(Commands commands) {
        Optional<Setting> usual = settings.find(OptionTable.GRACE);
        Optional<Setting> given = settings.given(OptionTable.GRACE);
        given.flatMap(platform::graceWarning).ifPresent(warnings::add);
        return given.isPresent() || usual.isEmpty() ? Optional.empty() : platform.grace(usual.get(), commands);
    }

    private SortedSet<String> foreignVariables() {
        SortedSet<String> names = new TreeSet<>();
        for (String name : evidence.environment().variables().keySet()) {
            if (NamePattern.matches(platform.notForProcesses(), name)) {
                names.add(name);
            }
        }
        return names;
    }

    private String jobId(Clock clock) {
        Setting id = JobIds.decide(platform, settings, clock, evidence.world().pid());
        Optional<Setting> given = settings.find(OptionTable.JOB_ID);
        if (given.isPresent() && !given.get().value().equals(id.value())) {
            warnings.add("the job's id is " + id.value() + " (" + id.origin() + "), the platform's; "
                    + given.get().origin() + " does not change it");
        }
        decided.add(id);
        return id.value();
    }

    private Node node() {
        NodePosition position = NodePosition.decide(platform, settings);
        add(position.count());
        add(position.index());
        return new Node(
                position.indexNumber(),
                position.countNumber(),
                platform.nodeName(),
                address(),
                hosts(position),
                platform.role(),
                platform.hostsByRole(),
                cards(),
                evidence.machine());
    }

    private Optional<OptionValue> address() {
        Optional<Setting> given = settings.given(OptionTable.NODE_ADDRESS);
        return given.isPresent() ? given.map(Setting::toOptionValue) : platform.nodeAddress();
    }

    /** Names that cannot be the nodes' are worse than none: an engine takes the i-th of them for node i. */
    private List<Host> hosts(NodePosition position) {
        Optional<Setting> given = settings.given(OptionTable.HOSTS);
        if (given.isPresent()) {
            return Hosts.parse(given.get().value()).stream()
                    .map(name -> new Host(name, Optional.empty()))
                    .toList();
        }
        if (evidence.engineLogsIn() && position.countNumber().orElse(1) > 1) {
            return platform.loginHosts(position.countNumber().getAsInt());
        }
        List<Host> hosts = position.countNumber().isPresent()
                ? platform.hosts(position.countNumber().getAsInt())
                : platform.hosts();
        int count = position.countNumber().orElse(hosts.size());
        if (hosts.isEmpty() || hosts.size() == count) {
            return hosts;
        }
        if (hostsOfAllRoles() != count) {
            warnings.add("the platform names " + counted(hosts.size(), "host") + ", but the job has "
                    + counted(count, "node") + " ("
                    + position.count().orElseThrow().origin()
                    + "): the names are not used");
        }
        return List.of();
    }

    /** Where containers have roles, the platform names those of this role only, and may count all. */
    private int hostsOfAllRoles() {
        return platform.hostsByRole().values().stream().mapToInt(List::size).sum();
    }

    private static String counted(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private void engineOptions() {
        for (Option option : settings.optionsOfEngine()) {
            if (settings.given(option).isEmpty()) {
                add(platform.engineOption(option, settings, warnings::add));
            }
        }
    }

    private CardChoice cards() {
        Optional<Setting> ids = settings.given(OptionTable.CARD_IDS);
        Optional<Setting> count = CardChoices.count(platform, settings, ids);
        add(count);
        return CardChoices.decide(ids, count);
    }

    private Places places() {
        ContractPlaces contract = platform.places().orElseGet(this::callersPlaces);
        Optional<Setting> work = settings.given(OptionTable.WORKDIR);
        Setting log = settings.given(OptionTable.LOG_DIR).orElse(contract.log());
        decided.add(work.orElse(contract.work()));
        decided.add(log);
        return new Places(
                work.orElse(contract.work()).value(),
                work.isEmpty() && contract.workPerTask(),
                log.value(),
                contract.tables());
    }

    private ContractPlaces callersPlaces() {
        Path directory = evidence.world().directory();
        return new ContractPlaces(
                Setting.ofDefault(OptionTable.WORKDIR, directory.toString()),
                false,
                Setting.ofDefault(OptionTable.LOG_DIR, directory.resolve(LOGS).toString()),
                Optional.empty());
    }

    private void add(Optional<Setting> setting) {
        if (setting.isPresent()) {
            decided.add(setting.get());
        }
    }
}
