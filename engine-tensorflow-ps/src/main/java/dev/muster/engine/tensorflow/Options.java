package dev.muster.engine.tensorflow;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;

/**
 * What the options of the engine say.
 *
 * @param shape where somebody chose it
 * @param config the kind of script, with its origin
 * @param inject whether the arguments of TensorFlow 1 are appended
 */
record Options(Optional<OptionValue> shape, OptionValue config, boolean inject) {

    static final String SHAPE = "shape";
    static final String TF_CONFIG = "tf-config";
    static final String INJECT = "inject";
    static final String PS_HOSTS = "ps-hosts";
    static final String WORKER_HOSTS = "worker-hosts";

    /** Values of {@link #SHAPE}: the container is one role, or the node is given whole. */
    static final String ROLE = "role";

    static final String NODE = "node";

    private static final String DEFAULT = "default";
    private static final OptionValue DEFAULT_CONFIG = new OptionValue(Strategy.PS.word(), DEFAULT);
    private static final OptionValue DEFAULT_INJECT = new OptionValue("true", DEFAULT);

    /** All options, in the order of the help. */
    static List<EngineOption> options() {
        return List.of(
                EngineOption.choice(
                                SHAPE,
                                "whether this container is one role, or the node runs a ps and a worker; else the"
                                        + " platform says it",
                                ROLE,
                                NODE)
                        .withoutDefault(),
                EngineOption.choice(
                        TF_CONFIG,
                        "what TF_CONFIG says: the lists; worker 0 as chief (ParameterServerStrategy); only workers"
                                + " (MultiWorkerMirroredStrategy)",
                        Strategy.PS.word(),
                        Strategy.CHIEF.word(),
                        Strategy.WORKERS.word()),
                EngineOption.of(
                                INJECT,
                                EngineOption.Kind.SWITCH,
                                "append --job_name, --task_index, --ps_hosts and --worker_hosts; with tf-config=chief"
                                        + " or workers only when given")
                        .withDefault(DEFAULT_INJECT.value()),
                EngineOption.of(
                        PS_HOSTS,
                        EngineOption.Kind.TEXT,
                        "where the ps listen, host:port,host:port, equal on all nodes"),
                EngineOption.of(
                        WORKER_HOSTS,
                        EngineOption.Kind.TEXT,
                        "where the workers listen, host:port,host:port, equal on all nodes"));
    }

    static Options of(JobSpec job) {
        OptionValue config = job.option(TF_CONFIG).orElse(DEFAULT_CONFIG);
        OptionValue inject = job.option(INJECT).orElse(DEFAULT_INJECT);
        // A script that reads TF_CONFIG seldom knows these arguments, and argparse ends at one that it does not know.
        boolean isMeant = !inject.origin().equals(DEFAULT) || Strategy.of(config.value()) == Strategy.PS;
        return new Options(job.option(SHAPE), config, inject.isOn() && isMeant);
    }

    /**
     * The same, where the platform's own TF_CONFIG says what kind of script there is: whoever reads that needs no arguments.
     *
     * @throws PlanException when options say something else
     */
    Options following(GivenConfig given, JobSpec job) throws PlanException {
        if (chose(NODE)) {
            OptionValue node = shape.orElseThrow();
            throw PlanException.ofValue(
                    node,
                    node.origin() + "=" + NODE + ", but " + TfConfig.VARIABLE + " says that this container is "
                            + given.own().id() + ". Leave it out, or give --platform none where " + TfConfig.VARIABLE
                            + " means nothing");
        }
        Strategy kind = given.kind();
        if (!config.origin().equals(DEFAULT) && kind() != kind) {
            throw PlanException.ofValue(
                    config,
                    config.origin() + "=" + config.value() + ", but the cluster of " + TfConfig.VARIABLE + " has "
                            + Messages.counts(given.cluster()) + ", which is tf-config=" + kind.word()
                            + ". Leave it out");
        }
        OptionValue arguments = job.option(INJECT).orElse(DEFAULT_INJECT);
        boolean isAsked = arguments.isOn() && !arguments.origin().equals(DEFAULT);
        if (isAsked && !given.isWhole()) {
            throw PlanException.ofValue(
                    arguments,
                    arguments.origin() + "=true, but " + TfConfig.VARIABLE
                            + " does not name all workers of the job, so no list of them can be"
                            + " appended. Leave it out");
        }
        return new Options(shape, new OptionValue(kind.word(), TfConfig.VARIABLE), isAsked);
    }

    /** Refuses a chief who has nobody to work for it. */
    void refuseChiefOf(int workers) throws PlanException {
        if (kind() == Strategy.CHIEF && workers < 2) {
            throw PlanException.ofValue(
                    config,
                    config.origin() + "=" + Strategy.CHIEF.word()
                            + " makes worker 0 the chief, and the job has no other worker, but ParameterServerStrategy"
                            + " says \"There must be at least one worker.\" Use at least 2 nodes, or"
                            + " -o " + TF_CONFIG + "="
                            + Strategy.PS.word() + " or " + Strategy.WORKERS.word());
        }
    }

    Strategy kind() {
        return Strategy.of(config.value());
    }

    boolean chose(String shapeWord) {
        return shape.isPresent() && shape.get().value().equals(shapeWord);
    }
}
