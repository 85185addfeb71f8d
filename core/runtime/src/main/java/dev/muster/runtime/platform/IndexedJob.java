package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pod of an Indexed Job of Kubernetes, perhaps of one of those that a JobSet has. It is told its index, and nobody tells it how
 * many there are.
 */
final class IndexedJob implements Platform {

    static final String INDEX = "JOB_COMPLETION_INDEX";

    /** By convention: a JobSet's own count is an annotation of its pods, which a manifest makes this variable. */
    static final String RESTARTS = "JOBSET_RESTART_ATTEMPT";

    private static final String NAME = "indexed-job";
    private static final String NAME_OF_SET = "jobset";

    /** The Job of a pod of a JobSet is {@code JOBSET-REPLICATEDJOB-JOBINDEX}. */
    private static final Pattern JOB_OF_SET =
            Pattern.compile("(.+-([a-z0-9]|[a-z0-9][a-z0-9-]{0,60}[a-z0-9]))-(0|[1-9][0-9]{0,3})");

    /** The number of a JobSet's only Job of its kind. */
    private static final String FIRST = "0";

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Indexed Jobs of Kubernetes", List.of(INDEX), evidence -> new IndexedJob(evidence, NAME));
    static final KnownPlatform JOB_SET = new KnownPlatform(
            NAME_OF_SET,
            "JobSets of Kubernetes",
            List.of(INDEX, RESTARTS),
            evidence -> new IndexedJob(evidence, NAME_OF_SET));

    private final Evidence evidence;
    private final String name;
    private final Optional<NumberedName> own;
    private final Optional<Matcher> ofSet;

    private IndexedJob(Evidence evidence, String name) {
        this.evidence = evidence;
        this.name = name;
        // The name ends in the index, unless the pod template has a host name of its own.
        this.own = NumberedName.of(NumberedName.label(evidence.machine().hostName()))
                .filter(found -> evidence.value(INDEX).equals(Optional.of(Integer.toString(found.number()))));
        this.ofSet = own.map(found -> JOB_OF_SET.matcher(found.stem()))
                .filter(Matcher::matches)
                .filter(found -> isSet(evidence, found));
    }

    @Override
    public List<String> startCounts() {
        return List.of(RESTARTS);
    }

    /** The pods of a JobSet have its name as their domain. Where they have none, their own names must do. */
    private static boolean isSet(Evidence evidence, Matcher job) {
        Optional<String> domain = Kubernetes.subdomain(evidence);
        return domain.isEmpty() ? job.group(3).equals(FIRST) : job.group(1).startsWith(domain.get() + "-");
    }

    /** The number of this pod among those of its Job. */
    static Optional<Setting> index(Evidence evidence) {
        return evidence.number(OptionTable.NODE_INDEX, INDEX, OptionTable.MOST_NODES - 1);
    }

    @Override
    public PlatformContract contract() {
        return PlatformContract.named(name)
                .localVariables(List.of(INDEX))
                .advice(new PlatformContract.Advice(List.of(INDEX), Optional.empty(), Optional.empty()))
                .build();
    }

    @Override
    public Optional<String> sign() {
        boolean isHere = evidence.isSet(INDEX) && (name.equals(NAME) || ofSet.isPresent());
        return isHere ? Optional.of("set: " + INDEX) : Optional.empty();
    }

    @Override
    public Optional<String> refusal() {
        return Optional.of(
                INDEX + " tells which pod of a Job this is, and nothing tells how many there are."
                        + " Give --nodes N, the Job's completions, the same in all pods; --nodes 1 when this pod is meant alone");
    }

    /** Of a JobSet the name without the number of the Job: pods of all its Jobs have the same. */
    @Override
    public Optional<OptionValue> jobId() {
        Optional<String> job = ofSet.isPresent() && name.equals(NAME_OF_SET)
                ? ofSet.map(found -> found.group(1))
                : own.map(NumberedName::stem);
        return job.map(id -> new OptionValue(id, Kubernetes.HOST_NAME));
    }

    @Override
    public Optional<Setting> nodeIndex() {
        if (name.equals(NAME_OF_SET) && isOfAnotherJob()) {
            throw MusterException.configuration(
                    "this pod is of Job " + ofSet.orElseThrow().group(3) + " of "
                            + ofSet.orElseThrow().group(1) + ", and " + INDEX
                            + " counts the pods of one Job only. Give --node-index I, counted over the pods of all Jobs that train"
                            + " together, with --nodes N and --hosts A,B,...; --platform " + NAME
                            + " when it belongs to no JobSet");
        }
        return index(evidence);
    }

    @Override
    public Optional<String> role() {
        Optional<String> domain = Kubernetes.subdomain(evidence);
        return name.equals(NAME_OF_SET)
                ? ofSet.map(found -> domain.isPresent()
                        ? found.group(1).substring(domain.get().length() + 1)
                        : found.group(2))
                : Optional.empty();
    }

    @Override
    public List<Host> hosts(int count) {
        Optional<String> domain = Kubernetes.subdomain(evidence);
        boolean isSure = own.isPresent() && domain.isPresent() && !(name.equals(NAME_OF_SET) && isOfAnotherJob());
        return isSure ? new NumberedName(own.get().stem(), 0, "." + domain.get()).first(count) : List.of();
    }

    private boolean isOfAnotherJob() {
        return ofSet.isPresent() && !ofSet.get().group(3).equals(FIRST);
    }
}
