package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.platform.LocalEvidence;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Condition;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import dev.muster.testkit.runtime.EngineTestJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A TensorFlow job on a node. */
final class TestJob extends EngineTestJob<TestJob> {

    TestJob() {
        super(new TensorFlowPsEngine());
        places(new JobDirectories("/m/workspace", true, "/m/log", Optional.empty()));
    }

    TestJob onModelArts() {
        return platform(PlatformContract.named("modelarts").withRendezvousPort(6666));
    }

    /** A TFJob of Kubeflow. The platform reads this TF_CONFIG. */
    TestJob onTfJob(String config) {
        PlatformInfo told = read(variable("TF_CONFIG", config.replace('\'', '"')));
        assertThat(told.refusals()).isEmpty();
        platform(told.contract()).role(told.role().orElseThrow());
        told.hostsByRole().forEach(this::hostsOf);
        index(Integer.parseInt(value(told, "node-index")));
        return value(told, "nodes").contains(":")
                ? elastic(new OptionValue(value(told, "nodes"), "TF_CONFIG"))
                : nodes(Integer.parseInt(value(told, "nodes")));
    }

    private static PlatformInfo read(TestJob job) {
        Platform platform = new PlatformCatalog(new PluginJars(Optional.empty()), PluginListener.NOBODY)
                .platforms().stream()
                        .filter(one -> one.name().equals("tfjob"))
                        .findFirst()
                        .orElseThrow();
        try {
            return platform.read(new LocalEvidence(
                    new TreeMap<>(job.spec().environment()),
                    job.node().machine(),
                    new MachineFiles(Path.of("/nowhere")),
                    Optional.of(new TensorFlowPsEngine().descriptor()),
                    true,
                    Optional.empty(),
                    command -> ""));
        } catch (PlanException refused) {
            throw new AssertionError(refused.getMessage(), refused);
        }
    }

    private static String value(PlatformInfo told, String option) {
        return Objects.requireNonNull(told.options().get(option)).value();
    }

    /** The lists of ps and workers in the variables of the platform. */
    TestJob lists(String ps, String workers) {
        return variable("TF_PS_HOSTS", ps).variable("TF_WORKER_HOSTS", workers);
    }

    TestJob role(String word, int newIndex) {
        return role(word).index(newIndex);
    }

    /** The launchers of the job. */
    Optional<LauncherNodes> link() {
        try {
            return new TensorFlowPsEngine().link(spec(), node());
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.getMessage(), refusal);
        }
    }

    // --- reading a plan

    static List<String> ids(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec::id).toList();
    }

    static ProcessSpec process(LaunchPlan plan, String processId) {
        return plan.processes().stream()
                .filter(process -> process.id().equals(processId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + processId + " in " + ids(plan)));
    }

    static List<String> command(LaunchPlan plan, String processId) {
        return words(process(plan, processId));
    }

    /** The argument after the argument {@code name}. */
    static String argument(LaunchPlan plan, String processId, String name) {
        List<String> words = command(plan, processId);
        return words.contains(name) ? words.get(words.indexOf(name) + 1) : "(not given)";
    }

    static String tfConfig(LaunchPlan plan, String processId) {
        Value value = process(plan, processId).launch().environment().set().get("TF_CONFIG");
        return value == null ? "(not set)" : text(value);
    }

    /** The only case of a plan's outcome. */
    static Outcome.Case onlyCase(LaunchPlan plan) {
        assertThat(cases(plan)).hasSize(1);
        return cases(plan).get(0);
    }

    static Condition exited(String... processIds) {
        return Condition.exited(List.of(processIds));
    }

    static List<Outcome.Case> cases(LaunchPlan plan) {
        return plan.outcome().cases();
    }
}
