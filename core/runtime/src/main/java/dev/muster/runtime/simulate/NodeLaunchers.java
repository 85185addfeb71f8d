package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.simulate.SimulatedWorld.NodeStart;
import dev.muster.runtime.text.TextResource;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The plan of a simulation: one real launcher for each node, started as a container's start command starts it.
 *
 * @param shared the shared network of several nodes
 */
record NodeLaunchers(
        ProcessInfo processInfo,
        Invocation invocation,
        BootFile boot,
        SimulatedCluster cluster,
        Optional<SharedNetwork> shared) {

    /** The variable with the platform's working directory, if the launcher does not choose it. */
    private static final String WORK_DIRECTORY = "MUSTER_WORKDIR";

    /** Options with the same meaning for a node's launcher as for the simulation, besides the engine's options. */
    private static final List<String> PASSED_ON = TextResource.lines(NodeLaunchers.class, "node-options.txt");

    LaunchPlan plan(List<VirtualNode> nodes) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .processes(nodes.stream().map(this::launcher).toList())
                .build();
    }

    private ProcessSpec launcher(VirtualNode node) {
        NodeStart start = start(node);
        List<String> command = new ArrayList<>(start.muster());
        command.addAll(boot.command());
        Map<String, Value> set = new TreeMap<>();
        start.set().forEach((name, value) -> set.put(name, Value.of(value)));
        EnvironmentChange change = EnvironmentChange.of(set, start.removed());
        String directory = node.node().directory();
        return ProcessSpec.task(
                node.id(), new Launch(Launch.literally(command), change, directory, node.id() + ".log"));
    }

    NodeStart start(VirtualNode node) {
        Map<String, String> variables = variables(node);
        String directory = variables.getOrDefault(WORK_DIRECTORY, node.node().directory());
        return new NodeStart(command(node), variables, hidden(), Path.of(directory));
    }

    private List<String> command(VirtualNode node) {
        List<String> command = new ArrayList<>(processInfo.launcher().command());
        invocation.settings().given(OptionTable.DOCTOR).ifPresent(given -> command.add(Command.DOCTOR.word()));
        command.addAll(OptionTable.ENGINE.words(invocation.engine().descriptor().id()));
        command.addAll(OptionTable.PLATFORM.words(cluster.platform()));
        // Console and log pass their lines on unchanged.
        command.addAll(OptionTable.COLOR.words("never"));
        invocation.engine().options().options().stream()
                .filter(option -> option.is(Option.Trait.OF_ENGINE) || PASSED_ON.contains(option.name()))
                .forEach(option -> passOn(option, command));
        shared.map(sharing -> sharing.options(invocation.settings())).ifPresent(command::addAll);
        boolean prefixIsChosen = invocation.settings().given(OptionTable.PREFIX).isPresent();
        if (node.node().role().isPresent() && !prefixIsChosen) {
            // Such a container has one process, with the name of the container.
            command.addAll(OptionTable.PREFIX.words("none"));
        }
        command.add("--");
        return command;
    }

    /** The variables of its container. Variables of the engine take precedence. */
    private Map<String, String> variables(VirtualNode node) {
        Map<String, String> variables = new TreeMap<>(node.environment().variables());
        variables.putAll(node.provision().environment());
        shared.ifPresent(sharing -> variables.put(ProcessInfo.SIMULATED_HOSTS, sharing.hosts()));
        String faults = new RankFaults(invocation.settings()).of(node);
        if (!faults.isEmpty()) {
            variables.put(ProcessInfo.FAULTS, faults);
        }
        processInfo.linkSecret().ifPresent(secret -> variables.put(ProcessInfo.LINK_SECRET, secret.reveal()));
        return variables;
    }

    /** Passes the user's choice on. A default would look like a choice, and engines treat a choice differently. */
    private void passOn(Option option, List<String> command) {
        invocation.settings().all(option).stream()
                .filter(setting -> setting.source() != Setting.Source.DEFAULT)
                .forEach(setting -> command.addAll(option.words(setting.value())));
    }

    /** Variables of the caller's own platform, which the nodes must not see. */
    private Set<String> hidden() {
        return processInfo.environment().variables().keySet().stream()
                .filter(name -> SimulatedPlatform.hides(name, invocation.platforms()))
                .collect(Collectors.toSet());
    }
}
