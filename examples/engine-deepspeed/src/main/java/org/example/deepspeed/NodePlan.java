package org.example.deepspeed;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The plan of one node. */
final class NodePlan {

    private static final int HIGHEST_PORT = 65_535;

    private final JobSpec job;
    private final Hostfile hosts;
    private final int index;
    private final OptionValue port;
    private final Map<String, Value> environment;

    NodePlan(PlanRequest request) throws PlanException {
        this.job = request.job();
        this.hosts = request.inputs().get("hostfile") instanceof InputValue.Text file
                ? Hostfile.read(file)
                : withoutFile(request);
        this.index = hosts.indexOf(request.node());
        this.port = port(job);
        this.environment = environment(request);
    }

    private static Hostfile withoutFile(PlanRequest request) throws PlanException {
        OptionValue missing = DeepSpeedEngine.hostfile(request.job()).orElse(null);
        if (missing != null) {
            throw new PlanException(
                    PlanException.Kind.DATA,
                    missing.value() + " (" + missing.origin() + ") cannot be read. Correct the path, or leave it out");
        }
        return Hostfile.ofNodes(request.node());
    }

    private static OptionValue port(JobSpec job) throws PlanException {
        OptionValue port = job.option(DeepSpeedEngine.PORT.name())
                .or(() -> job.variable("MASTER_PORT"))
                .orElse(new OptionValue("29500", "default"));
        boolean isNumber = port.value().matches("[1-9][0-9]{0,4}");
        if (!isNumber || Integer.parseInt(port.value()) > HIGHEST_PORT) {
            throw new PlanException(
                    PlanException.Kind.CONFIGURATION,
                    port.origin() + " is \"" + port.value() + "\", which is no port. Give 1 to " + HIGHEST_PORT);
        }
        return port;
    }

    /** The lines of .deepspeed_env; empty if the file is missing. A missing file that the user names is refused. */
    private static Map<String, Value> environment(PlanRequest request) throws PlanException {
        String path = DeepSpeedEngine.environmentFile(request.job());
        if (!(request.inputs().get("environment") instanceof InputValue.CommandOutput file && file.exitCode() == 0)) {
            if (request.job().option(DeepSpeedEngine.ENVIRONMENT.name()).isPresent()) {
                throw new PlanException(
                        PlanException.Kind.DATA, path + " cannot be read. Correct the path, or leave it out");
            }
            return Map.of();
        }
        Map<String, Value> variables = new HashMap<>();
        for (String line : file.output().split("\0", -1)) {
            int equals = line.indexOf('=');
            if (line.isBlank()) {
                continue;
            }
            if (equals < 1 || !line.substring(0, equals).matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new PlanException(
                        PlanException.Kind.DATA, path + ": a line does not begin with NAME=. Correct it");
            }
            variables.put(line.substring(0, equals), Value.of(line.substring(equals + 1)));
        }
        return variables;
    }

    LaunchPlan plan() {
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS).over(hosts.lines().size());
        for (int local = 0; local < hosts.lines().get(index).slots(); local++) {
            plan.process(task(local));
        }
        if (hosts.lines().size() > 1) {
            plan.launchers(LauncherNodes.ofHosts(index, hosts.hosts()));
        }
        if (index == 0) {
            int number = Integer.parseInt(port.value());
            plan.port(RequiredPort.of(number, "the rendezvous", port.origin(), "Give another --rendezvous-port")
                    .at(hosts.lines().get(0).host()));
        }
        return plan.equal("rendezvous port", port.value()).build();
    }

    private ProcessSpec.Task task(int local) {
        int rank = hosts.slotsBefore(index) + local;
        Map<String, Value> variables = new HashMap<>(environment);
        variables.put("RANK", Value.of(rank));
        variables.put("LOCAL_RANK", Value.of(local));
        variables.put("WORLD_SIZE", Value.of(hosts.slots()));
        variables.put("LOCAL_SIZE", Value.of(hosts.lines().get(index).slots()));
        variables.put("CROSS_RANK", Value.of(index));
        variables.put("CROSS_SIZE", Value.of(hosts.lines().size()));
        variables.put("MASTER_ADDR", Value.of(hosts.lines().get(0).host()));
        variables.put("MASTER_PORT", Value.of(port.value()));
        Launch launch = new Launch(
                Launch.literally(command(local)),
                EnvironmentChange.of(variables, List.of()),
                job.sharedWorkDirectory(),
                job.id() + "-rank-" + rank + ".txt");
        return ProcessSpec.task("rank-" + rank, launch).withPlacement(new RankInfo(rank, local, hosts.slots()));
    }

    /** The argument goes after the script, before the user's own arguments. */
    private List<String> command(int local) {
        List<String> words = new ArrayList<>(job.command());
        int script = 0;
        if (words.get(0).matches("(.*/)?python[0-9.]*")) {
            script = 1;
            while (script < words.size() && words.get(script).startsWith("-")) {
                script += words.get(script).matches("-[WX]") ? 2 : 1; // their value is a separate word
            }
        }
        words.add(Math.min(script + 1, words.size()), "--local_rank=" + local);
        return words;
    }
}
