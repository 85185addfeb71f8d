package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.platform.SimulatedPlatform;
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
import java.util.TreeSet;
import java.util.stream.Stream;

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

    /** Options that mean the same for a node's launcher as for the simulation. */
    private static final List<Option> PASSED_ON = List.of(
            OptionTable.PLUGINS,
            OptionTable.BIND,
            OptionTable.GRACE,
            OptionTable.CHECKPOINT_SIGNAL,
            OptionTable.STOP_SIGNAL_TO,
            OptionTable.INPUT_TIMEOUT,
            OptionTable.LINK,
            OptionTable.LINK_PORT,
            OptionTable.LINK_SECRET,
            OptionTable.LINK_OUTPUT,
            OptionTable.LOST_AFTER,
            OptionTable.RESTARTS,
            OptionTable.HANG_TIMEOUT,
            OptionTable.ON_HANG,
            OptionTable.STACKS_SIGNAL,
            OptionTable.RESTART_ON,
            OptionTable.TIME_LIMIT,
            OptionTable.PREFIX,
            OptionTable.CONSOLE_RANKS,
            OptionTable.TIMESTAMPS,
            OptionTable.FOLD,
            OptionTable.EXIT_CODES,
            OptionTable.CONDA_ENV,
            OptionTable.WORKDIR,
            OptionTable.MASK);

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
        command.add(OptionTable.ENGINE.flag());
        command.add(invocation.engine().descriptor().id());
        // The console passes their lines on as they are, and so does their log.
        command.addAll(List.of(OptionTable.PLATFORM.flag(), cluster.platform(), OptionTable.COLOR.flag(), "never"));
        for (Option option : PASSED_ON) {
            for (Setting setting : invocation.settings().all(option)) {
                passOn(option, setting, command);
            }
        }
        shared.map(sharing -> sharing.options(invocation.settings())).ifPresent(command::addAll);
        command.addAll(ofEngine());
        boolean prefixIsChosen = invocation.settings().given(OptionTable.PREFIX).isPresent();
        if (node.node().role().isPresent() && !prefixIsChosen) {
            // The one process of such a container is called as the container is.
            command.add(OptionTable.PREFIX.flag());
            command.add("none");
        }
        command.add("--");
        command.addAll(boot.command());
        return command;
    }

    /** A default that is passed on would look chosen, and engines treat what somebody chose in another way. */
    private List<String> ofEngine() {
        return invocation.settings().optionsOfEngine().stream()
                .filter(option -> !isPassedOn(option))
                .flatMap(option -> invocation.settings().given(option).stream()
                        .flatMap(setting -> Stream.of(option.flag(), setting.value())))
                .toList();
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

    private static boolean isPassedOn(Option option) {
        return PASSED_ON.stream().anyMatch(passed -> passed.name().equals(option.name()));
    }

    private static void passOn(Option option, Setting setting, List<String> command) {
        boolean isOff = option.form().isSwitch() && !setting.value().equals("true");
        if (setting.source() == Setting.Source.DEFAULT || isOff) {
            return;
        }
        command.add(option.flag());
        if (!option.form().isSwitch()) {
            command.add(setting.value());
        }
    }

    /** The caller's own platform must not shine through. */
    private Set<String> hidden() {
        Set<String> hidden = new TreeSet<>();
        for (String name : processInfo.environment().variables().keySet()) {
            if (SimulatedPlatform.hides(name, invocation.platforms())) {
                hidden.add(name);
            }
        }
        return hidden;
    }
}
