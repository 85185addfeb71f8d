package dev.muster.runtime.doctor;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.launch.LaunchProbe;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The facts that checks examine.
 *
 * @param launch what a launch would find here
 * @param commands runs programs in the job's environment
 * @param pid of the launcher, which has its caller's limits
 * @param now by this machine's clock
 */
record NodeFacts(
        DoctorRequest request,
        LaunchProbe.Result launch,
        CommandRunner commands,
        MachineFiles files,
        long pid,
        Instant now) {

    private static final Duration TO_ANSWER = Duration.ofSeconds(30);

    Node node() {
        return launch.resolved().node();
    }

    /** Whether the chosen engine sets a variable. This tells which framework the engine serves. */
    boolean serves(String variable) {
        return request.job()
                .filter(job -> job.engine().descriptor().owns(variable))
                .isPresent();
    }

    /** Whether this is a simulated node. Such a node is this machine, and its cards and names do not exist. */
    boolean isSimulated() {
        return launch.environment().variables().containsKey(RunMarker.VARIABLE);
    }

    /** Whether other machines belong to the job. */
    boolean hasOtherNodes() {
        return !isSimulated()
                && Math.max(node().count().orElse(1), node().hosts().size()) > 1;
    }

    List<Launch> ranks() {
        return launch.plan().map(LaunchPlan::processes).orElse(List.of()).stream()
                .filter(ProcessSpec.Task.class::isInstance)
                .map(ProcessSpec::launch)
                .toList();
    }

    /** The variables of a rank, without empty ones. */
    SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>(launch.environment().variables());
        EnvironmentChange own =
                ranks().stream().findFirst().map(Launch::environment).orElse(EnvironmentChange.NONE);
        variables.keySet().removeAll(own.remove());
        own.set().forEach((name, value) -> variables.put(name, value.known().orElse("")));
        variables.values().removeIf(String::isEmpty);
        return variables;
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(variables().get(name));
    }

    Path workDirectory() {
        return Path.of(launch.resolved().places().workDirectory());
    }

    CommandRunner.Answer ask(String... command) {
        return commands.ask(List.of(command), TO_ANSWER);
    }

    static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1") || address.equals("localhost");
    }
}
