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
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.supervise.RunSettings;
import dev.muster.spi.SimulatedCluster;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code muster simulate}: a whole job on this machine. Each virtual node gets a directory, an address, variables as from the platform,
 * and one real launcher. The launchers run the same code as in production.
 */
public record SimulateCommand(ProcessInfo processInfo, Console console, PlanRun planRun, Clock clock) {

    /** The time for the nodes' launchers to end their ranks, before the simulation kills the launchers. */
    private static final Duration EXTRA_GRACE = Duration.ofSeconds(10);

    /** The time for the other launchers to end by the link after one has failed. The link does not report a node that never came. */
    private static final Duration FOR_THE_OTHERS = Duration.ofSeconds(10);

    @Inject
    public SimulateCommand {}

    /**
     * Simulates the job.
     *
     * @param codes which exit code a cause gives
     * @return the exit code of the first node that failed
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Optional<CondaEnvironment> conda = new CondaFinder(processInfo)
                .find(
                        invocation.settings().given(OptionTable.CONDA_ENV),
                        invocation.job().get(0),
                        // Each node gives this warning itself.
                        warning -> {});
        return run(conda.map(found -> withPrefix(invocation, found)).orElse(invocation), codes, conda);
    }

    private int run(Invocation invocation, ExitCodes codes, Optional<CondaEnvironment> conda)
            throws InterruptedException {
        Settings settings = invocation.settings();
        BootFile boot = BootFile.of(invocation.job(), processInfo.directory());
        requireProgram(boot, conda);
        ClusterLayout.check(settings, invocation.engine().descriptor(), invocation.platforms());
        settings.warnings().forEach(console::warn);
        SimulationDirectory directory = SimulationDirectory.choose(
                settings.path(OptionTable.LOG_DIR), processInfo.directory(), processInfo.nameAt(clock.instant()));
        boot.madeAbsolute()
                .ifPresent(word -> console.say("boot file " + word + " is given to the nodes as "
                        + processInfo.directory().resolve(word).normalize()));
        try {
            return simulate(invocation, codes, boot, directory);
        } catch (IOException reservation) {
            throw new MusterException(ExitCode.INTERNAL, "cannot give up addresses: " + reservation, reservation);
        }
    }

    /** @throws MusterException no node could start the command */
    private void requireProgram(BootFile boot, Optional<CondaEnvironment> conda) {
        Optional<String> searchPath = processInfo.environment().value("PATH");
        Executables.resolve(
                boot.command().get(0),
                conda.map(found -> found.programs()
                                + searchPath.map(path -> ":" + path).orElse(""))
                        .or(() -> searchPath),
                processInfo.directory());
    }

    private int simulate(Invocation invocation, ExitCodes codes, BootFile boot, SimulationDirectory directory)
            throws IOException, InterruptedException {
        Settings settings = invocation.settings();
        try (SimulatedWorld world = new SimulatedWorld(processInfo, invocation, boot, directory);
                ClusterFiles files = clusterFiles(settings)) {
            new RankFaults(settings).check(invocation.engine().descriptor().id(), world.virtualNodes());
            directory.make();
            world.build(invocation, console);
            files.provide(world.providedFiles());
            return boot(world, invocation, codes, directory);
        }
    }

    /** Makes the prefix absolute: nodes have their own directories, so a relative prefix would be wrong. */
    private static Invocation withPrefix(Invocation invocation, CondaEnvironment found) {
        Setting prefix = new Setting(
                OptionTable.CONDA_ENV.name(), found.prefix().toString(), found.origin(), Setting.Source.COMMAND_LINE);
        return invocation.with(List.of(prefix), invocation.job());
    }

    private int boot(SimulatedWorld world, Invocation invocation, ExitCodes codes, SimulationDirectory directory)
            throws InterruptedException {
        Settings settings = invocation.settings();
        announce(world.cluster(), directory.path());
        List<VirtualNode> nodes = world.virtualNodes();
        PlanRun.Result result = planRun.run(
                world.plan(),
                RunSettings.alone(
                        output(directory, nodes),
                        RunSettings.StopSettings.of(
                                settings.duration(OptionTable.GRACE).plus(EXTRA_GRACE), FOR_THE_OTHERS),
                        RunSettings.JobSettings.of("", invocation.job(), processInfo.environment(), settings.secrets()),
                        settings.duration(OptionTable.INPUT_TIMEOUT)));
        return new SimulationReport(nodes, result, world.cluster().jobId(), new RankFaults(settings))
                .print(directory.path(), codes, console::say);
    }

    private static RunSettings.OutputSettings output(SimulationDirectory directory, List<VirtualNode> nodes) {
        Map<String, String> titles = nodes.stream().collect(Collectors.toMap(VirtualNode::id, VirtualNode::title));
        return new RunSettings.OutputSettings(
                directory.id(), directory.path(), process -> "[" + titles.get(process.id()) + "] ", ConsoleStyle.PLAIN);
    }

    private void announce(SimulatedCluster cluster, Path directory) {
        int count = cluster.nodes().size();
        String word = cluster.nodes().get(0).role().isPresent() ? "container" : "node";
        console.say("simulating " + count + " " + word + (count == 1 ? "" : "s") + " with " + cluster.cards()
                + (cluster.cards() == 1 ? " card" : " cards") + " each on platform " + cluster.platform() + " in "
                + directory);
    }

    private ClusterFiles clusterFiles(Settings settings) {
        return new ClusterFiles(
                settings.findDuration(OptionTable.LATE).orElse(Duration.ZERO),
                problem -> console.warn(String.valueOf(problem.getMessage())));
    }
}
