package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.platform.SimulatedSite;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.PlanException;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code muster simulate}: a whole job on this machine. Each virtual node gets a directory, an address and variables as the
 * platform would give them, and one real launcher; what runs is what runs in production.
 */
public final class SimulateCommand {

    private static final String DEFAULT_PLATFORM = "modelarts";
    /** What the nodes' launchers get to end their ranks before they are killed themselves. */
    private static final Duration EXTRA_GRACE = Duration.ofSeconds(10);

    private final World world;
    private final Console console;
    private final PlanRun planRun;
    private final Clock clock;

    public SimulateCommand(World world, Console console, PlanRun planRun, Clock clock) {
        this.world = world;
        this.console = console;
        this.planRun = planRun;
        this.clock = clock;
    }

    /** @return the launcher's exit code: that of the first node that failed */
    public int run(Invocation invocation) throws InterruptedException {
        Instant startedAt = clock.instant();
        Settings settings = invocation.settings();
        BootFile boot = BootFile.of(invocation.job(), world.directory());
        Executables.resolve(boot.command().get(0), world.environment().value("PATH"), world.directory());
        requireAddresses(settings);
        settings.warnings().forEach(console::warn);
        SimulationDirectory directory =
                SimulationDirectory.make(settings.path(OptionTable.DIR), world.directory(), clock, world.pid());
        boot.madeAbsolute()
                .ifPresent(word -> console.say("boot file " + word + " is given to the nodes as "
                        + world.directory().resolve(word).normalize()));
        try (AddressBlock addresses = AddressBlock.reserve(world.pid())) {
            SimulatedCluster cluster = cluster(settings, directory, addresses);
            List<VirtualNode> nodes = nodes(invocation, cluster);
            try (ClusterFiles files = clusterFiles(settings)) {
                build(nodes, files);
                return boot(invocation, boot, cluster, nodes, directory, startedAt);
            }
        } catch (IOException reservation) {
            throw new MusterException(ExitCode.INTERNAL, "cannot give up addresses: " + reservation, reservation);
        }
    }

    private int boot(
            Invocation invocation,
            BootFile boot,
            SimulatedCluster cluster,
            List<VirtualNode> nodes,
            SimulationDirectory directory,
            Instant startedAt)
            throws InterruptedException {
        Settings settings = invocation.settings();
        LaunchPlan plan = new NodeLaunchers(world, invocation, boot, cluster).plan(nodes);
        console.say("simulating " + nodes.size() + (nodes.size() == 1 ? " node" : " nodes") + " with " + cluster.cards()
                + (cluster.cards() == 1 ? " card" : " cards") + " each on platform " + cluster.platform() + " in "
                + directory.path());
        PlanRun.Result result = planRun.run(
                plan,
                new RunSettings(
                        directory.id(),
                        startedAt,
                        settings.duration(OptionTable.GRACE).plus(EXTRA_GRACE),
                        directory.path(),
                        process -> "[" + process.id().replace('-', ' ') + "] ",
                        world.environment().variables()));
        return report(settings, cluster, nodes, directory, result);
    }

    private int report(
            Settings settings,
            SimulatedCluster cluster,
            List<VirtualNode> nodes,
            SimulationDirectory directory,
            PlanRun.Result result) {
        NodeTable table = new NodeTable();
        FirstFailure first = new FirstFailure();
        for (int index = 0; index < nodes.size(); index++) {
            Optional<NodeResult> node = nodes.get(index).result(cluster.jobId());
            table.add(index, node, result.verdict().processes().get(index));
            first.consider(index, node);
        }
        table.lines().forEach(console::say);
        console.say("files of this simulation: " + directory.path());
        if (result.verdict().cause() instanceof Cause.ProcessFailed && first.isKnown()) {
            console.say("exit " + first.exitCode() + ": " + first.reason());
            return first.exitCode();
        }
        int code = exitCodes(settings).of(result.verdict().cause());
        VerdictText.lines(result.verdict(), code, result.logs()).forEach(console::say);
        return code;
    }

    private static void requireAddresses(Settings settings) {
        int nodes = settings.number(OptionTable.NODES).orElse(1);
        int cards = settings.number(OptionTable.CARDS).orElse(1);
        if (nodes > AddressBlock.MAX_NODES || (long) nodes * cards > AddressBlock.MAX_CARDS) {
            throw MusterException.usage("--nodes " + nodes + " --cards " + cards + " is too large to simulate: at most "
                    + AddressBlock.MAX_NODES + " nodes and " + AddressBlock.MAX_CARDS + " cards in all");
        }
    }

    private static SimulatedCluster cluster(Settings settings, SimulationDirectory directory, AddressBlock addresses) {
        int count = settings.number(OptionTable.NODES).orElse(1);
        int cards = settings.number(OptionTable.CARDS).orElse(1);
        String platform = settings.given(OptionTable.PLATFORM)
                .map(Setting::value)
                .filter(name -> !name.equals("auto"))
                .orElse(DEFAULT_PLATFORM);
        String jobId = settings.given(OptionTable.JOB_ID).map(Setting::value).orElse("modelarts-job-" + directory.id());
        List<SimulatedNode> nodes = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            List<String> cardAddresses = new ArrayList<>();
            for (int card = 0; card < cards; card++) {
                cardAddresses.add(addresses.ofCard(index * cards + card));
            }
            nodes.add(new SimulatedNode(
                    index,
                    jobId + "-worker-" + index,
                    addresses.ofNode(index),
                    directory.ofNode(index).toString(),
                    cardAddresses));
        }
        return new SimulatedCluster(jobId, platform, cards, nodes, settings.simulationOptions());
    }

    private static List<VirtualNode> nodes(Invocation invocation, SimulatedCluster cluster) {
        List<NodeProvision> provisions;
        try {
            provisions = invocation.engine().engine().simulation(cluster);
        } catch (PlanException refused) {
            throw new MusterException(ExitCode.of(refused.kind()), String.valueOf(refused.getMessage()), refused);
        }
        List<VirtualNode> nodes = new ArrayList<>();
        for (SimulatedNode node : cluster.nodes()) {
            SimulatedSite site = SimulatedPlatform.site(cluster, node);
            Path logs = invocation.settings().path(OptionTable.LOG_DIR).orElse(Path.of(site.logDirectory()));
            nodes.add(new VirtualNode(node, site, provisions.get(node.index()), logs));
        }
        return nodes;
    }

    private static void build(List<VirtualNode> nodes, ClusterFiles files) {
        try {
            for (VirtualNode node : nodes) {
                for (String directory : node.site().directories()) {
                    Directories.make(Path.of(directory));
                }
                files.provide(node.provision().files());
            }
        } catch (FileException refused) {
            throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
        }
    }

    private ClusterFiles clusterFiles(Settings settings) {
        return new ClusterFiles(
                settings.findDuration(OptionTable.LATE).orElse(Duration.ZERO),
                settings.findDuration(OptionTable.HALF_WRITTEN).orElse(Duration.ZERO),
                problem -> console.warn(String.valueOf(problem.getMessage())));
    }

    private static ExitCodes exitCodes(Settings settings) {
        return ExitCodes.named(settings.text(OptionTable.EXIT_CODES).orElseThrow());
    }
}
