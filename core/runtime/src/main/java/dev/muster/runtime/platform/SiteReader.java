package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Host;
import dev.muster.spi.Machine;
import dev.muster.spi.Node;
import dev.muster.spi.Places;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts together what platform and options say. Options win, but for the job's id. */
public final class SiteReader {

    private final World world;
    private final Settings settings;
    private final Platform platform;
    private final DetectedPlatform detected;
    private final List<Setting> decided = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private SiteReader(World world, Settings settings, PlatformDetector.Found found) {
        this.world = world;
        this.settings = settings;
        this.platform = found.platform();
        this.detected = found.detected();
    }

    /**
     * The site of this launcher.
     *
     * @param clock for the id of a job that nobody named
     * @throws MusterException when variables are missing or wrong, or contradict options
     */
    public static Site read(World world, Settings settings, Machine machine, Clock clock) {
        return new SiteReader(world, settings, PlatformDetector.find(world, settings)).read(machine, clock);
    }

    private Site read(Machine machine, Clock clock) {
        decided.add(new Setting(OptionTable.PLATFORM.name(), detected.name(), detected.why(), Setting.Source.PLATFORM));
        String jobId = jobId(clock);
        Node node = node(machine);
        Places places = places();
        engineOptions();
        return new Site(detected, jobId, node, places, settings.with(decided), warnings);
    }

    private String jobId(Clock clock) {
        Setting id = JobIds.decide(platform, settings, clock, world.pid());
        Optional<Setting> given = settings.find(OptionTable.JOB_ID);
        if (given.isPresent() && !given.get().value().equals(id.value())) {
            warnings.add("the job's id is " + id.value() + " (" + id.origin() + "), the platform's; "
                    + given.get().origin() + " does not change it");
        }
        decided.add(id);
        return id.value();
    }

    private Node node(Machine machine) {
        NodePosition position = NodePosition.decide(platform, settings);
        add(position.count());
        add(position.index());
        return new Node(
                position.indexNumber(),
                position.countNumber(),
                platform.nodeName(),
                platform.nodeAddress(),
                hosts(position),
                platform.role(),
                platform.hostsByRole(),
                cards(),
                machine);
    }

    /** Names that cannot be the nodes' are worse than none: an engine takes the i-th of them for node i. */
    private List<Host> hosts(NodePosition position) {
        Optional<Setting> given = settings.given(OptionTable.HOSTS);
        if (given.isPresent()) {
            return Hosts.parse(given.get().value()).stream()
                    .map(name -> new Host(name, Optional.empty()))
                    .toList();
        }
        List<Host> hosts = platform.hosts();
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
                add(platform.engineOption(option, warnings::add));
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
        ContractPlaces contract = platform.places();
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

    private void add(Optional<Setting> setting) {
        if (setting.isPresent()) {
            decided.add(setting.get());
        }
    }
}
