package dev.muster.engine.tensorflow;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.Optional;

/**
 * The {@code TF_CONFIG} of a platform that gives each role containers of its own and tells them so: Kubeflow's TFJob and
 * Volcano's tensorflow plugin. The evaluator may be in its cluster or not.
 *
 * @param cluster the processes that it names
 * @param own the one of this container; an evaluator need not be in the cluster
 * @param isWhole whether it names all processes of the job. Where workers may come and go (Kubeflow's {@code
 *     enableDynamicWorker}), each sees only itself and the ps, and a ps sees no worker
 */
record GivenConfig(Cluster cluster, Member own, boolean isWhole) {

    /** More nodes than that no launcher counts. */
    static final int MOST_MEMBERS = 4096;

    private static final String INPUT = "tf-config";

    /** What the runtime must read first. */
    static List<Input> inputs(JobSpec job) {
        return isFollowed(job)
                ? List.of(new Input.JsonText(
                        INPUT, job.variable(TfConfig.VARIABLE).orElseThrow().value(), TfConfig.VARIABLE))
                : List.of();
    }

    /** What the platform says; empty where it says nothing, or where the lists of options are stronger. */
    static Optional<GivenConfig> read(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> json = request.input(INPUT, InputValue.Json.class);
        if (json.isEmpty() || !isFollowed(request.job())) {
            return Optional.empty();
        }
        ConfigText text = new ConfigText(json.get().content());
        GivenConfig config = new GivenConfig(text.cluster(), text.task(), !text.isByIndex(Role.WORKER));
        config.check();
        return Optional.of(config);
    }

    /** A chief decides; ps are a matter of TensorFlow 1, unless there is a chief. */
    Strategy kind() {
        if (cluster.chief().isPresent()) {
            return Strategy.CHIEF;
        }
        return cluster.ps().isEmpty() ? Strategy.WORKERS : Strategy.PS;
    }

    /** How many containers the job has, as far as is known here; where that is not all, there is at least another one. */
    int containers() {
        int known = cluster.members().size() + (cluster.has(own) ? 0 : 1);
        return isWhole ? known : Math.max(2, known);
    }

    /** Whether the variable is the platform's word, and no option is stronger. */
    static boolean isFollowed(JobSpec job) {
        return job.platform().variables().contains(TfConfig.VARIABLE)
                && job.variable(TfConfig.VARIABLE).isPresent()
                && job.option(Options.PS_HOSTS).isEmpty()
                && job.option(Options.WORKER_HOSTS).isEmpty();
    }

    private void check() throws PlanException {
        if (cluster.members().size() > MOST_MEMBERS) {
            throw ConfigText.wrong(
                    "/cluster has " + cluster.members().size() + " members; at most " + MOST_MEMBERS + " are possible");
        }
        boolean isBeside =
                own.role() == Role.EVALUATOR && cluster.list(Role.EVALUATOR).isEmpty();
        if (!cluster.has(own) && !isBeside) {
            throw ConfigText.wrong("/task says that this is " + own.role().word() + " " + own.index()
                    + ", which is not in /cluster: it has " + Messages.counts(cluster));
        }
        int chiefs = cluster.list(Role.CHIEF).size() + cluster.list(Role.MASTER).size();
        if (chiefs > 1) {
            throw ConfigText.wrong("/cluster has " + chiefs + " chiefs or masters; there can be one");
        }
        if (isWhole && chiefs == 0 && cluster.workers().isEmpty()) {
            throw ConfigText.wrong("/cluster has " + Messages.counts(cluster)
                    + ", but no chief and no worker: nobody would train, or end the job");
        }
        cluster.checked();
    }
}
