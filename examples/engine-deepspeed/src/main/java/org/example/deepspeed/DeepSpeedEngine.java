package org.example.deepspeed;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Starts the same processes as the {@code deepspeed} command, without ssh: one process per slot of the hostfile, with {@code --local_rank}
 * after the script, the variables of DeepSpeed's launcher, and those of {@code .deepspeed_env}.
 */
public final class DeepSpeedEngine implements Engine {

    static final EngineOption HOSTFILE = EngineOption.of(
            "hostfile", EngineOption.Kind.PATH, "lines \"HOST slots=N\"; without it: DEEPSPEED_HOSTFILE, else the nodes");
    static final EngineOption ENVIRONMENT = EngineOption.of(
            "deepspeed-env", EngineOption.Kind.PATH, "lines NAME=VALUE for all ranks; without it: .deepspeed_env here");
    static final EngineOption PORT =
            EngineOption.of("rendezvous-port", EngineOption.Kind.COUNT, "where rank 0 listens; without it: MASTER_PORT, else 29500");

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "deepspeed", "DeepSpeed jobs: one process per slot of a hostfile")
            .withOptions(HOSTFILE, ENVIRONMENT, PORT)
            .withVariables(
                    "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_SIZE", "CROSS_RANK", "CROSS_SIZE", "MASTER_ADDR", "MASTER_PORT")
            .withSimulatedPorts(1);

    /** The deepspeed command reads the hostfile from a platform's variable. An engine must not know that variable. */
    private static final String HOSTFILE_VARIABLE = "DEEPSPEED_HOSTFILE";

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>();
        hostfile(job).ifPresent(path -> inputs.add(new Input.TextFile("hostfile", path.value())));
        // Records that end with NUL: only from such records may an engine set variables that it does not own.
        inputs.add(new Input.CommandOutput(
                "environment",
                List.of("sh", "-c", "tr '\\r\\n' '\\0\\0' < \"$1\"", "sh", environmentFile(job)),
                Duration.ofSeconds(10)));
        return inputs;
    }

    static Optional<OptionValue> hostfile(JobSpec job) {
        return job.option(HOSTFILE.name()).or(() -> job.variable(HOSTFILE_VARIABLE));
    }

    static String environmentFile(JobSpec job) {
        return job.option(ENVIRONMENT.name()).map(OptionValue::value).orElse(job.directory() + "/.deepspeed_env");
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        return new NodePlan(request).plan();
    }

    /** The hostfile may list other nodes than the platform, so only the plan knows the nodes. */
    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) {
        return Optional.empty();
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        String lines = cluster.nodes().stream()
                .map(node -> node.address() + " slots=" + cluster.cards() + "\n")
                .collect(Collectors.joining());
        return cluster.nodes().stream()
                .map(node -> NodeProvision.of(Map.of(
                                HOSTFILE_VARIABLE,
                                node.directory() + "/hostfile",
                                "MASTER_PORT",
                                Integer.toString(cluster.nodes().get(0).ports().get(0))))
                        .withFiles(Map.of(node.directory() + "/hostfile", lines))
                        .withRanks(IntStream.range(0, cluster.cards())
                                .mapToObj(card -> Integer.toString(node.index() * cluster.cards() + card))
                                .toList()))
                .toList();
    }
}
