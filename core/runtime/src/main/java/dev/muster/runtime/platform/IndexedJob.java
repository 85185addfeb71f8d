package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A pod of an Indexed Job of Kubernetes, alone or in a JobSet. The pod knows its index, but not the number of pods. */
final class IndexedJob extends PlatformReader {

    static final String INDEX = "JOB_COMPLETION_INDEX";

    /** A convention: the manifest makes this variable from an annotation of the pod, the JobSet's restart count. */
    static final String RESTARTS = "JOBSET_RESTART_ATTEMPT";

    private static final String NAME = "indexed-job";
    /** The Job of a pod of a JobSet is {@code JOBSET-REPLICATEDJOB-JOBINDEX}. */
    private static final Pattern JOB_OF_SET =
            Pattern.compile("(.+-([a-z0-9]|[a-z0-9][a-z0-9-]{0,60}[a-z0-9]))-(0|[1-9][0-9]{0,3})");

    /** The number of the Job in a JobSet that has one Job of its kind. */
    private static final String FIRST = "0";

    private final boolean isSet;
    private final Optional<NumberedName> own;
    private final Optional<Matcher> ofSet;
    private final Optional<String> domain;

    IndexedJob(EvidenceReader evidence, boolean isSet) {
        super(evidence);
        this.isSet = isSet;
        this.domain = evidence.isSet(INDEX) ? Kubernetes.subdomain(evidence) : Optional.empty();
        // The name ends in the index, unless the pod template has a host name of its own.
        this.own = Kubernetes.podName(evidence)
                .filter(found -> evidence.value(INDEX).equals(Optional.of(Integer.toString(found.number()))));
        // The domain of a JobSet's pods is the JobSet's name. Without a domain, the pod's own name must do.
        this.ofSet = own.map(found -> JOB_OF_SET.matcher(found.stem()))
                .filter(Matcher::matches)
                .filter(job -> domain.map(name -> job.group(1).startsWith(name + "-"))
                        .orElseGet(() -> job.group(3).equals(FIRST)));
    }

    @Override
    Optional<String> sign() {
        return evidence.value(INDEX)
                .filter(index -> !isSet || ofSet.isPresent())
                .map(index -> "set: " + INDEX);
    }

    @Override
    void readAll() {
        refusal(() -> Optional.of(INDEX
                + " tells which pod of a Job this is, and nothing tells how many there are. Give --nodes N, the"
                + " Job's completions, the same in all pods; --nodes 1 when this pod is meant alone"));
        // In a JobSet: the name without the Job's number, which is equal in the pods of all its Jobs.
        option(
                OptionTable.JOB_ID,
                () -> Kubernetes.job(
                        isSet && ofSet.isPresent() ? ofSet.map(found -> found.group(1)) : own.map(NumberedName::stem)));
        option(OptionTable.NODE_INDEX, this::index);
        role(() -> isSet ? ofSet.map(this::role) : Optional.empty());
        hosts(this::hosts);
        startCounts(List.of(RESTARTS));
    }

    private Optional<OptionValue> index() {
        if (isOfAnotherJob()) {
            throw MusterException.configuration(
                    "this pod is of Job " + ofSet.orElseThrow().group(3) + " of "
                            + ofSet.orElseThrow().group(1) + ", and " + INDEX
                            + " counts the pods of one Job only. Give --node-index I, counted over the pods of all"
                            + " Jobs that train together, with --nodes N and --hosts A,B,...; --platform " + NAME
                            + " when it belongs to no JobSet");
        }
        return evidence.index(INDEX);
    }

    private String role(Matcher found) {
        return domain.map(name -> found.group(1).substring(name.length() + 1)).orElse(found.group(2));
    }

    private List<Host> hosts() {
        boolean isSure = own.isPresent() && domain.isPresent() && !isOfAnotherJob();
        return isSure
                ? new NumberedName(own.get().stem(), 0, "." + domain.get())
                        .first(evidence.userNodes().orElse(0))
                : List.of();
    }

    private boolean isOfAnotherJob() {
        return isSet && ofSet.isPresent() && !ofSet.get().group(3).equals(FIRST);
    }
}
