package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.text.TextResource;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The plan of a simulation: one real launcher a node, started as a container's start command would start it.
 *
 * @param shared when there are several nodes
 */
record NodeLaunchers(
        ProcessInfo processInfo,
        Invocation invocation,
        BootFile boot,
        SimulatedCluster cluster,
        Optional<SharedNetwork> shared) {

    /** Options that mean the same for a node's launcher as for the simulation, besides the engine's. */
    private static final List<String> PASSED_ON = TextResource.lines(NodeLaunchers.class, "node-options.txt");

    LaunchPlan plan(List<VirtualNode> nodes) {
        List<ProcessSpec> launchers = new ArrayList<>();
        for (VirtualNode node : nodes) {
            Launch launch = new Launch(
                    Launch.literally(command(node)),
                    EnvironmentChange.of(variables(node), hidden()),
                    node.node().directory(),
                    node.id() + ".log");
            launchers.add(ProcessSpec.task(node.id(), launch));
        }
        return LaunchPlan.builder(Outcome.ALL_TASKS).processes(launchers).build();
    }

    private List<String> command(VirtualNode node) {
        List<String> command = new ArrayList<>(processInfo.launcher().command());
        invocation.settings().given(OptionTable.DOCTOR).ifPresent(given -> command.add(Command.DOCTOR.word()));
        command.addAll(OptionTable.ENGINE.words(invocation.engine().descriptor().id()));
        command.addAll(OptionTable.PLATFORM.words(cluster.platform()));
        // The console passes their lines on as they are, and so does their log.
        command.addAll(OptionTable.COLOR.words("never"));
        invocation.engine().options().options().stream()
                .filter(option -> option.is(Option.Trait.OF_ENGINE) || PASSED_ON.contains(option.name()))
                .forEach(option -> passOn(option, command));
        shared.map(sharing -> sharing.options(invocation.settings())).ifPresent(command::addAll);
        boolean prefixIsChosen = invocation.settings().given(OptionTable.PREFIX).isPresent();
        if (node.node().role().isPresent() && !prefixIsChosen) {
            // The one process of such a container is called as the container is.
            command.addAll(OptionTable.PREFIX.words("none"));
        }
        command.add("--");
        command.addAll(boot.command());
        return command;
    }

    private Map<String, Value> variables(VirtualNode node) {
        Map<String, Value> variables = new TreeMap<>(node.variables());
        shared.ifPresent(sharing -> variables.put(ProcessInfo.SIMULATED_HOSTS, Value.of(sharing.hosts())));
        List<Fault> faults = new RankFaults(invocation.settings()).of(node);
        if (!faults.isEmpty()) {
            variables.put(ProcessInfo.FAULTS, Value.of(Fault.text(faults)));
        }
        processInfo.linkSecret().ifPresent(secret -> variables.put(ProcessInfo.LINK_SECRET, Value.of(secret.reveal())));
        return variables;
    }

    /** A default that is passed on would look chosen, and engines treat what somebody chose in another way. */
    private void passOn(Option option, List<String> command) {
        invocation.settings().all(option).stream()
                .filter(setting -> setting.source() != Setting.Source.DEFAULT)
                .forEach(setting -> command.addAll(option.words(setting.value())));
    }

    /** The caller's own platform must not shine through. */
    private Set<String> hidden() {
        return processInfo.environment().variables().keySet().stream()
                .filter(name -> SimulatedPlatform.hides(name, invocation.platforms()))
                .collect(Collectors.toSet());
    }
}
