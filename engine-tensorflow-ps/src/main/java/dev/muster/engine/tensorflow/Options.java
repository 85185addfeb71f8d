package dev.muster.engine.tensorflow;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;

/**
 * The values of the engine's options.
 *
 * @param shape the value of the option, if it is given
 * @param config the kind of script, with its origin
 */
record Options(Optional<OptionValue> shape, OptionValue config) {

    static final String SHAPE = "shape";
    static final String TF_CONFIG = "tf-config";
    static final String PS_HOSTS = "ps-hosts";
    static final String WORKER_HOSTS = "worker-hosts";

    /** The values of {@link #SHAPE}: a container of one role, or a whole node. */
    static final String ROLE = "role";

    static final String NODE = "node";

    private static final String DEFAULT = "default";

    /** All options, in the order of the help. */
    static final List<EngineOption> ALL = List.of(
            EngineOption.choice(
                            SHAPE,
                            "whether this container is one role, or the node runs a ps and a worker; else the"
                                    + " platform says it",
                            ROLE,
                            NODE)
                    .withoutDefault(),
            EngineOption.choice(
                    TF_CONFIG,
                    "what TF_CONFIG says: the lists, which --job_name, --task_index, --ps_hosts and --worker_hosts say, too;"
                            + " the lists alone; worker 0 as chief (ParameterServerStrategy); only workers"
                            + " (MultiWorkerMirroredStrategy)",
                    Strategy.PS.word(),
                    Strategy.PS_ENV.word(),
                    Strategy.CHIEF.word(),
                    Strategy.WORKERS.word()),
            EngineOption.of(
                    PS_HOSTS, EngineOption.Kind.TEXT, "where the ps listen, host:port,host:port, equal on all nodes"),
            EngineOption.of(
                    WORKER_HOSTS,
                    EngineOption.Kind.TEXT,
                    "where the workers listen, host:port,host:port, equal on all nodes"));

    static Options of(JobSpec job) {
        return new Options(
                job.option(SHAPE), job.option(TF_CONFIG).orElse(new OptionValue(Strategy.PS.word(), DEFAULT)));
    }

    /** Refuses options that contradict the platform's TF_CONFIG, which tells the role of this container and the kind of script. */
    void refuseOtherThan(GivenConfig given) throws PlanException {
        if (chose(NODE)) {
            OptionValue node = shape.orElseThrow();
            throw PlanException.ofValue(
                    node,
                    node.origin() + "=" + NODE + ", but " + TfConfig.VARIABLE + " says that this container is "
                            + given.own().id() + ". Leave it out, or give --platform none where " + TfConfig.VARIABLE
                            + " means nothing");
        }
        Strategy strategy = given.strategy();
        boolean fits = strategy() == strategy || (strategy() == Strategy.PS && strategy == Strategy.PS_ENV);
        if (!config.origin().equals(DEFAULT) && !fits) {
            throw PlanException.ofValue(
                    config,
                    config.origin() + "=" + config.value() + ", but the cluster of " + TfConfig.VARIABLE + " has "
                            + Messages.counts(given.cluster()) + ", which is tf-config=" + strategy.word()
                            + ". Leave it out");
        }
    }

    /** Refuses a chief without other workers. */
    void refuseChiefOf(int workers) throws PlanException {
        if (strategy() == Strategy.CHIEF && workers < 2) {
            throw PlanException.ofValue(
                    config,
                    config.origin() + "=" + Strategy.CHIEF.word()
                            + " makes worker 0 the chief, and the job has no other worker, but ParameterServerStrategy"
                            + " says \"There must be at least one worker.\" Use at least 2 nodes, or"
                            + " -o " + TF_CONFIG + "="
                            + Strategy.PS.word() + " or " + Strategy.WORKERS.word());
        }
    }

    Strategy strategy() {
        return Strategy.of(config.value());
    }

    boolean chose(String shapeWord) {
        return shape.isPresent() && shape.get().value().equals(shapeWord);
    }
}
