package org.example.flux;

import dev.muster.spi.Evidence;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import dev.muster.spi.SimulatedCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A job of Flux, whose tasks are launchers, one on each node: {@code flux run -N 4 -n 4 muster --engine ...}. */
public final class FluxPlatform implements Platform {

    static final String JOB = "FLUX_JOB_ID";
    static final String SIZE = "FLUX_JOB_SIZE";
    static final String NODES = "FLUX_JOB_NNODES";
    static final String RANK = "FLUX_TASK_RANK";
    static final String LOCAL = "FLUX_TASK_LOCAL_ID";

    /** The command that lists the hosts, which no variable does. */
    static final List<String> HOSTS = List.of("flux", "hostlist", "--expand", "--delimiter=,", "local");

    private static final int MOST = 4096;

    @Override
    public String name() {
        return "flux";
    }

    @Override
    public String title() {
        return "Flux (flux run, one launcher per node)";
    }

    @Override
    public List<String> variables() {
        return List.of("FLUX_*");
    }

    /** The variables of a job and of a task. A batch script has only the first, and is not the launcher of a node. */
    @Override
    public Optional<String> sign(Evidence evidence) {
        return Stream.of(JOB, RANK).allMatch(name -> variable(evidence, name).isPresent())
                ? Optional.of("set: " + JOB + ", " + RANK)
                : Optional.empty();
    }

    @Override
    public PlatformInfo read(Evidence evidence) throws PlanException {
        int nodes = number(evidence, NODES, 1, MOST);
        int size = number(evidence, SIZE, 1, Integer.MAX_VALUE);
        if (size != nodes) {
            throw wrong(SIZE + " is " + size + ", and " + NODES + " is " + nodes
                    + ". Start one launcher on each node: flux run -N " + nodes + " -n " + nodes);
        }
        int index = number(evidence, RANK, 0, nodes - 1);
        String job = variable(evidence, JOB)
                // Flux itself writes f for the florin sign where only ASCII is allowed.
                .map(id -> id.replace('\u0192', 'f'))
                .filter(id -> id.matches("[A-Za-z0-9._-]{1,63}"))
                .orElseThrow(() -> wrong(JOB + " is no name. Give --platform none, or start the job with flux run"));
        PlatformInfo.Builder info = PlatformInfo.of(PlatformContract.named(name())
                        .withIndexVariables(List.of(RANK))
                        .withLocalVariables(List.of("FLUX_TASK_*")))
                .option("job-id", new OptionValue("flux-" + job, JOB))
                .option("nodes", new OptionValue(Integer.toString(nodes), NODES))
                .option("node-index", new OptionValue(Integer.toString(index), RANK));
        List<Host> hosts = hosts(evidence);
        if (hosts.size() == nodes) {
            info.nodeName(new OptionValue(hosts.get(index).name(), "flux hostlist")).hosts(hosts);
        } else if (nodes > 1) {
            info.refusal("hosts", "\"" + String.join(" ", HOSTS) + "\" lists " + hosts.size() + " of " + nodes
                    + " hosts. Give --hosts");
        }
        return info.build();
    }

    private static List<Host> hosts(Evidence evidence) {
        return Stream.of(evidence.output(HOSTS).strip().split(",", -1))
                .filter(host -> !host.isEmpty())
                .map(host -> Host.of(host, Optional.empty()))
                .toList();
    }

    private static Optional<String> variable(Evidence evidence, String name) {
        return Optional.ofNullable(evidence.environment().get(name)).filter(value -> !value.isEmpty());
    }

    private static int number(Evidence evidence, String name, int least, int most) throws PlanException {
        String value = variable(evidence, name).orElse("");
        if (!value.matches("[0-9]{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw wrong(name + " is \"" + value + "\", which is no number from " + least + " to " + most
                    + ". Start the launchers with flux run, or give --platform none");
        }
        return Integer.parseInt(value);
    }

    private static PlanException wrong(String message) {
        return new PlanException(PlanException.Kind.CONFIGURATION, message);
    }

    @Override
    public Map<String, String> simulation(SimulatedCluster cluster, SimulatedCluster.SimulatedNode node) {
        String nodes = Integer.toString(cluster.nodes().size());
        return Map.of(
                JOB, cluster.jobId(), SIZE, nodes, NODES, nodes, RANK, Integer.toString(node.index()), LOCAL, "0");
    }
}
