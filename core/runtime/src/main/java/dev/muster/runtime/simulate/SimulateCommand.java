package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.conda.CondaEnvironment;
import dev.muster.runtime.conda.CondaFinder;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.SimulatedCluster;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code muster simulate}: a whole job on this machine. Each virtual node gets a directory, an address and variables as the
 * platform would give them, and one real launcher; what runs is what runs in production.
 */
public final class SimulateCommand {

    /** What the nodes' launchers get to end their ranks before they are killed themselves. */
    private static final Duration EXTRA_GRACE = Duration.ofSeconds(10);

    /** What the other launchers get to end by the link when one has failed: of a node that never came, it tells nothing. */
    private static final Duration FOR_THE_OTHERS = Duration.ofSeconds(10);

    private final ProcessInfo processInfo;
    private final Console console;
    private final PlanRun planRun;
    private final Clock clock;

    @Inject
    public SimulateCommand(ProcessInfo processInfo, Console console, PlanRun planRun, Clock clock) {
        this.processInfo = processInfo;
        this.console = console;
        this.planRun = planRun;
        this.clock = clock;
    }

    /**
     * Simulates the job.
     *
     * @param codes which exit code a cause gives
     * @return the launcher's exit code: that of the first node that failed
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Optional<CondaEnvironment> conda = new CondaFinder(processInfo)
                .find(
                        invocation.settings().given(OptionTable.CONDA_ENV),
                        invocation.job().get(0),
                        // Each node says it itself.
                        warning -> {});
        return run(conda.map(found -> withPrefix(invocation, found)).orElse(invocation), codes, conda);
    }

    private int run(Invocation invocation, ExitCodes codes, Optional<CondaEnvironment> conda)
            throws InterruptedException {
        Instant startedAt = clock.instant();
        Settings settings = invocation.settings();
        BootFile boot = BootFile.of(invocation.job(), processInfo.directory());
        requireProgram(boot, conda);
        ClusterLayout.check(settings, invocation.engine().descriptor(), invocation.platforms());
        settings.warnings().forEach(console::warn);
        SimulationDirectory directory = SimulationDirectory.choose(
                settings.path(OptionTable.LOG_DIR), processInfo.directory(), clock, processInfo.pid());
        boot.madeAbsolute()
                .ifPresent(word -> console.say("boot file " + word + " is given to the nodes as "
                        + processInfo.directory().resolve(word).normalize()));
        try (AddressBlock addresses = AddressBlock.reserve(processInfo.pid());
                Ports ports = new Ports()) {
            return simulate(invocation, codes, boot, directory, addresses, ports, startedAt);
        } catch (IOException reservation) {
            throw new MusterException(ExitCode.INTERNAL, "cannot give up addresses: " + reservation, reservation);
        }
    }

    /** @throws MusterException when no node could start the command */
    private void requireProgram(BootFile boot, Optional<CondaEnvironment> conda) {
        Optional<String> searchPath = processInfo.environment().value("PATH");
        Executables.resolve(
                boot.command().get(0),
                conda.map(found -> found.programs()
                                + searchPath.map(path -> ":" + path).orElse(""))
                        .or(() -> searchPath),
                processInfo.directory());
    }

    private int simulate(
            Invocation invocation,
            ExitCodes codes,
            BootFile boot,
            SimulationDirectory directory,
            AddressBlock addresses,
            Ports ports,
            Instant startedAt)
            throws IOException, InterruptedException {
        Settings settings = invocation.settings();
        SimulatedCluster cluster =
                ClusterLayout.of(settings, invocation.engine().descriptor(), directory, addresses, ports);
        List<VirtualNode> nodes = SimulatedWorld.nodes(invocation, cluster);
        new RankFaults(settings).check(invocation.engine().descriptor().id(), nodes);
        directory.make();
        if (invocation.engine().descriptor().logsIn()) {
            SimulatedWorld.makeForSshd(console);
        }
        Optional<SharedNetwork> shared = nodes.size() == 1
                ? Optional.empty()
                : Optional.of(new SharedNetwork(directory.path(), ports.drawForOthers()));
        LaunchPlan plan = new NodeLaunchers(processInfo, invocation, boot, cluster, shared).plan(nodes);
        try (ClusterFiles files = clusterFiles(settings);
                TemporaryDirectories temporary = TemporaryDirectories.of(nodes)) {
            build(nodes, files, temporary);
            shared.ifPresent(sharing -> sharing.prepare(nodes));
            return boot(plan, invocation, codes, cluster, nodes, directory, startedAt);
        }
    }

    /** Nodes have directories of their own, where a relative prefix would be another one. */
    private static Invocation withPrefix(Invocation invocation, CondaEnvironment found) {
        Setting prefix = new Setting(
                OptionTable.CONDA_ENV.name(), found.prefix().toString(), found.origin(), Setting.Source.COMMAND_LINE);
        return invocation.with(List.of(prefix), invocation.job());
    }

    private int boot(
            LaunchPlan plan,
            Invocation invocation,
            ExitCodes codes,
            SimulatedCluster cluster,
            List<VirtualNode> nodes,
            SimulationDirectory directory,
            Instant startedAt)
            throws InterruptedException {
        Settings settings = invocation.settings();
        announce(cluster, directory.path());
        Map<String, String> titles = new HashMap<>();
        nodes.forEach(node -> titles.put(node.id(), node.title()));
        PlanRun.Result result = planRun.run(
                plan,
                RunSettings.alone(
                        new RunSettings.OutputSettings(
                                directory.id(),
                                startedAt,
                                directory.path(),
                                process -> "[" + titles.get(process.id()) + "] ",
                                ConsoleStyle.PLAIN),
                        RunSettings.StopSettings.of(
                                settings.duration(OptionTable.GRACE).plus(EXTRA_GRACE), FOR_THE_OTHERS),
                        RunSettings.JobSettings.of(
                                "", invocation.job(), processInfo.environment().variables(), settings.secrets()),
                        settings.duration(OptionTable.INPUT_TIMEOUT)));
        return new SimulationReport(nodes, result, clock.instant(), cluster.jobId(), new RankFaults(settings))
                .tell(directory.path(), codes, console::say);
    }

    private void announce(SimulatedCluster cluster, Path directory) {
        int count = cluster.nodes().size();
        String word = cluster.nodes().get(0).role().isPresent() ? "container" : "node";
        console.say("simulating " + count + " " + word + (count == 1 ? "" : "s") + " with " + cluster.cards()
                + (cluster.cards() == 1 ? " card" : " cards") + " each on platform " + cluster.platform() + " in "
                + directory);
    }

    private static void build(List<VirtualNode> nodes, ClusterFiles files, TemporaryDirectories temporary) {
        SimulatedWorld.build(nodes, temporary);
        try {
            for (VirtualNode node : nodes) {
                files.provide(node.provision().files());
            }
        } catch (FileException refused) {
            throw SimulatedWorld.refusal(refused);
        }
    }

    private ClusterFiles clusterFiles(Settings settings) {
        return new ClusterFiles(
                settings.findDuration(OptionTable.LATE).orElse(Duration.ZERO),
                problem -> console.warn(String.valueOf(problem.getMessage())));
    }
}
