package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Combines what the platform and the options say. Options win. */
public final class JobResolver {

    /** The default directory for logs, relative to the caller's directory. */
    public static final String LOGS = "muster-logs";

    private static final Setting SEVERAL_NODES =
            new Setting(OptionTable.NODES.name(), "2", "assumed", Setting.Source.COMMAND_LINE);

    private final LocalEvidence evidence;
    private final ProcessInfo processInfo;
    private final Settings settings;
    private final DetectedPlatform platform;
    private final List<Setting> decided = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private Optional<MusterException> refusal;

    /** @param refusal that is known already, if any */
    private JobResolver(
            LocalEvidence evidence,
            ProcessInfo processInfo,
            Settings settings,
            DetectedPlatform platform,
            Optional<MusterException> refusal) {
        this.refusal = refusal;
        this.evidence = evidence;
        this.processInfo = processInfo;
        this.settings = settings;
        this.platform = platform;
    }

    /**
     * The job as this launcher sees it.
     *
     * @param clock for the id of a job that has none
     * @param platforms all platforms
     * @throws MusterException when variables are missing or wrong, or contradict options
     */
    public static ResolvedJob read(
            LocalEvidence evidence, ProcessInfo processInfo, Clock clock, PlatformCatalog platforms) {
        Settings settings = evidence.settings().orElseThrow();
        DetectedPlatform found;
        try {
            found = platforms.find(evidence, settings);
        } catch (MusterException unread) {
            // The user's options may be enough to tell the other launchers.
            PlatformInfo nothing = KnownPlatform.none().read(evidence);
            found = new DetectedPlatform(nothing, NoPlatform.NOTHING, List.of(), List.of());
            return new JobResolver(evidence, processInfo, settings, found, Optional.of(unread)).read(clock);
        }
        ResolvedJob resolved = new JobResolver(evidence, processInfo, settings, found, Optional.empty()).read(clock);
        if (resolved.refusal().isEmpty() || resolved.node().count().isPresent()) {
            return resolved;
        }
        // Reads again as if there were two nodes: the platform may then know node 0, which must hear of the refusal.
        Settings counted = settings.with(List.of(SEVERAL_NODES));
        LocalEvidence several = evidence.with(counted);
        DetectedPlatform again = platforms.find(several, counted);
        return new JobResolver(several, processInfo, counted, again, resolved.refusal()).read(clock);
    }

    private ResolvedJob read(Clock clock) {
        decided.add(new Setting(OptionTable.PLATFORM.name(), platform.name(), platform.why(), Setting.Source.PLATFORM));
        valueOr(this::refuseAll, () -> false);
        String jobId = valueOr(() -> jobId(clock), () -> addDecided(generatedId(clock)));
        Supplier<Node> refused = () -> NodePosition.ofRefused(platform, settings, evidence.machine());
        Node unrefused = valueOr(this::node, refused);
        JobDirectories places = valueOr(this::places, this::defaultPlaces);
        valueOr(this::addOptions, () -> false);
        Node node = refusal.isPresent() ? refused.get() : unrefused;
        OwnNames.warning(node, evidence).ifPresent(warnings::add);
        warnings.addAll(platform.warnings());
        return new ResolvedJob(
                platform,
                jobId,
                node,
                places,
                settings.with(decided),
                foreignVariables(),
                valueOr(() -> Sign.unusedSigns(new EvidenceReader(evidence), platform.name(), node.count()), List::of),
                warnings,
                refusal);
    }

    /** The value, or the other one if the value is refused. The first refusal is kept until the other launchers can hear of it. */
    private <T> T valueOr(Supplier<T> part, Supplier<T> otherwise) {
        try {
            return part.get();
        } catch (MusterException wrong) {
            refusal = refusal.or(() -> Optional.of(wrong));
            return otherwise.get();
        }
    }

    /** Refuses a job that the platform refuses, unless the user gives the number of nodes. */
    private boolean refuseAll() {
        if (new EvidenceReader(evidence).userNodes().isEmpty()) {
            platform.refuse(PlatformInfo.ALL);
        }
        return true;
    }

    private boolean addOptions() {
        settings.optionsOfEngine().forEach(this::addOfPlatform);
        addOfPlatform(OptionTable.GRACE);
        addOfPlatform(OptionTable.RESET_FILE);
        return true;
    }

    /** Adds the platform's value of an option, if the user gives none. */
    private void addOfPlatform(Option option) {
        if (settings.given(option).isEmpty() && !isLeftToUser(option.name())) {
            platform.value(option.name())
                    .map(value -> ofPlatform(option, value))
                    .ifPresent(decided::add);
        }
    }

    /** With the user's own hosts, or one node, the ranks must not use the address where the platform's ranks meet. */
    private boolean isLeftToUser(String option) {
        boolean isAddress = option.equals(TorchJob.ADDRESS_OPTION);
        if (isAddress && settings.given(OptionTable.HOSTS).isPresent()) {
            return true;
        }
        return (isAddress || option.equals(TorchJob.PORT_OPTION))
                && new EvidenceReader(evidence).userNodes().equals(OptionalInt.of(1));
    }

    static Setting ofPlatform(Option option, OptionValue said) {
        Optional<String> problem = option.form().problem(said.value());
        if (problem.isPresent()) {
            throw MusterException.configuration(said.origin() + ": " + Printable.quote(said.value()) + " "
                    + problem.get() + ". Correct the variable, or give " + option.flag());
        }
        return Setting.ofPlatform(option, said.value(), said.origin());
    }

    private SortedSet<String> foreignVariables() {
        List<String> patterns = platform.info().notForProcesses();
        SortedSet<String> foreign = new TreeSet<>(evidence.environment().keySet());
        foreign.removeIf(name -> !PlatformContract.matches(patterns, name));
        return foreign;
    }

    /** The one given, else the platform's, else one made from time and pid. */
    private String jobId(Clock clock) {
        Setting decision = settings.given(OptionTable.JOB_ID)
                .or(() -> Optional.ofNullable(platform.info().options().get(OptionTable.JOB_ID.name()))
                        .map(said -> ofPlatform(OptionTable.JOB_ID, said)))
                .orElseGet(() -> {
                    platform.refuse(OptionTable.JOB_ID.name());
                    return generatedId(clock);
                });
        return addDecided(decision);
    }

    private Setting generatedId(Clock clock) {
        return Setting.ofDefault(OptionTable.JOB_ID, "muster-" + processInfo.nameAt(clock.instant()));
    }

    private String addDecided(Setting setting) {
        decided.add(setting);
        return setting.value();
    }

    private Node node() {
        NodePosition position = NodePosition.decide(platform, settings);
        position.count().ifPresent(decided::add);
        position.index().ifPresent(decided::add);
        List.of(PlatformReader.NODE_NAME, PlatformReader.NODE_ADDRESS).forEach(platform::refuse);
        List<Host> hosts = hosts(position);
        platform.refuse(PlatformReader.ROLE);
        return new Node(
                position.indexNumber(),
                position.countNumber(),
                platform.elastic(),
                platform.info().nodeName(),
                platform.info().address(),
                hosts,
                platform.info().role(),
                platform.info().hostsByRole(),
                cards(),
                evidence.machine());
    }

    /** The hosts of the nodes. A list of the wrong length is left out: engines take host i for node i. */
    private List<Host> hosts(NodePosition position) {
        Optional<Setting> given = settings.given(OptionTable.HOSTS);
        if (given.isPresent()) {
            return EvidenceReader.hosts(Hosts.parse(given.get().value()));
        }
        platform.refuse(PlatformReader.HOSTS);
        List<Host> hosts = platform.info().hosts();
        int count = position.countNumber().orElse(hosts.size());
        if (hosts.isEmpty()
                || hosts.size() == count
                || (evidence.engine().filter(EngineDescriptor::logsIn).isPresent() && count > 1)) {
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

    /** The number of hosts of all roles. The platform may count all of them, but list this role's hosts only. */
    private int hostsOfAllRoles() {
        return platform.info().hostsByRole().values().stream()
                .mapToInt(List::size)
                .sum();
    }

    private static String counted(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    /** Which accelerators of this node are used. */
    private CardChoice cards() {
        CardResolver resolver = new CardResolver(evidence, warnings::add);
        Optional<Setting> ids = settings.given(OptionTable.CARD_IDS);
        Optional<Setting> count = settings.given(OptionTable.CARDS);
        Optional<Setting> told = ids.or(() -> count)
                .or(() -> platform.value(OptionTable.CARDS.name())
                        // 0 says nothing: some flavours with accelerators have it, too.
                        .filter(said -> !said.value().equals("0"))
                        .map(said -> ofPlatform(OptionTable.CARDS, said)));
        if (told.isEmpty()) {
            return resolver.ofMachine();
        }
        CardChoice choice = ids.isPresent()
                ? resolver.ofIds(ids.get(), count)
                : count.map(resolver::ofCount)
                        .orElseGet(() -> resolver.ofPlatform(told.get().toOptionValue()));
        String number = Integer.toString(choice.count().orElseThrow());
        decided.add(new Setting(
                OptionTable.CARDS.name(), number, choice.origin(), told.get().source()));
        return choice;
    }

    private JobDirectories places() {
        Path directory = processInfo.directory();
        Setting work = place(OptionTable.WORKDIR, directory);
        Setting log = place(OptionTable.LOG_DIR, directory.resolve(LOGS));
        decided.add(work);
        decided.add(log);
        return new JobDirectories(
                work.value(),
                work.source() == Setting.Source.PLATFORM,
                log.value(),
                platform.info().tableDirectory().map(this::absolute));
    }

    private JobDirectories defaultPlaces() {
        return new JobDirectories(absolute(""), false, absolute(LOGS), Optional.empty());
    }

    private String absolute(String path) {
        return processInfo.directory().resolve(path).normalize().toString();
    }

    private Setting place(Option option, Path usual) {
        return settings.given(option)
                .or(() -> platform.value(option.name())
                        .map(said -> Setting.ofPlatform(option, absolute(said.value()), said.origin())))
                .orElse(Setting.ofDefault(option, usual.toString()));
    }
}
