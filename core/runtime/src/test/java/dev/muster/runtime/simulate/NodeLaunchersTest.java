package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a simulation starts the launchers of virtual nodes. */
class NodeLaunchersTest {

    private static final List<String> JOB = List.of("python3", "train.py");

    /** An engine with two options. Only the first has a default. */
    private static final class EngineForTests implements Engine {
        @Override
        public EngineDescriptor descriptor() {
            EngineOption inject = EngineOption.of("inject", EngineOption.Kind.SWITCH, "append arguments")
                    .withDefault("true");
            EngineOption port = EngineOption.of("port", EngineOption.Kind.TEXT, "the port");
            return EngineDescriptor.of("for-tests", "for tests").withOptions(inject, port);
        }

        @Override
        public List<Input> inputs(JobSpec job, Node node) {
            return List.of();
        }

        @Override
        public LaunchPlan plan(PlanRequest request) {
            return LaunchPlan.builder(Outcome.ALL_TASKS).build();
        }
    }

    @Test
    void whatNobodyGaveIsNotPassedOnAsIfSomebodyHad() {
        assertThat(command())
                .endsWith(
                        "--engine",
                        "for-tests",
                        "--platform",
                        "none",
                        "--color",
                        "never",
                        "--link-port",
                        "23456",
                        "--",
                        "python3",
                        "train.py");
    }

    @Test
    void whatTheUserSaysOfTheLinkHolds() {
        assertThat(command(
                        Setting.ofCommandLine("link-port", "4711", "--link-port"),
                        Setting.ofCommandLine("link", "off", "--link"),
                        Setting.ofCommandLine("lost-after", "2s", "--lost-after")))
                .containsSubsequence("--link", "off", "--link-port", "4711", "--lost-after", "2s")
                .doesNotContain("23456");
    }

    @Test
    void whatIsGivenIsPassedOn() {
        Setting[] given = {
            Setting.ofCommandLine("inject", "true", "-o inject"),
            Setting.ofCommandLine("port", "7000", "--port"),
            Setting.ofCommandLine("grace", "3s", "--grace")
        };
        assertThat(command(given))
                .containsSubsequence("--grace", "3s", "--", "python3")
                .containsSubsequence("--inject", "true", "--", "python3")
                .containsSubsequence("--port", "7000", "--", "python3");
    }

    @Test
    void theLinksSecretIsPassedOnAsItCame() {
        Launch launch = launch(TestProcesses.withLinkSecret(Path.of("/caller"), "a good long secret"));

        assertThat(launch.environment().set()).containsEntry("MUSTER_LINK_SECRET", Value.of("a good long secret"));
        assertThat(launch().environment().set()).doesNotContainKey("MUSTER_LINK_SECRET");
    }

    private static List<String> command(Setting... given) {
        return launch(given).command().stream().map(word -> word.text()).toList();
    }

    private static Launch launch(Setting... given) {
        return launch(TestProcesses.of(Map.of()), given);
    }

    private static Launch launch(ProcessInfo processInfo, Setting... given) {
        EngineForTests engine = new EngineForTests();
        SettingSources sources = SettingSources.gather(processInfo, Arrays.asList(given));
        KnownOptions options = KnownOptions.with(engine.descriptor());
        Settings settings = SettingsReader.read(sources, options, Command.SIMULATE, Set::of);
        Invocation invocation = new Invocation(
                Command.SIMULATE,
                settings,
                List.of(),
                LoadedEngine.of(engine),
                new PlatformCatalog(new PluginJars(Optional.empty()), PluginListener.NOBODY),
                JOB);
        SimulatedNode node = SimulatedNode.of(0, "pod-0", "127.100.1.1", "/simulated/node-0");
        SimulatedCluster cluster = SimulatedCluster.of("job", "none", List.of(node));
        VirtualNode virtual = new VirtualNode(
                node, SimulatedPlatform.environment(cluster, node, invocation.platforms()), NodeProvision.NOTHING);
        LaunchPlan plan = new NodeLaunchers(
                        processInfo,
                        invocation,
                        BootFile.of(JOB, processInfo.directory()),
                        cluster,
                        Optional.of(new SharedNetwork(Path.of("/simulated"), 23_456)))
                .plan(List.of(virtual));
        return plan.processes().get(0).launch();
    }
}
