package dev.muster.runtime.platform;

import dev.muster.runtime.config.SafeName;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is true in every pod, whatever created it. */
final class Kubernetes {

    /** The origin of a value that follows from the pod's name. */
    static final String HOST_NAME = "host name";

    /** The address of the cluster's API: every pod has this variable. */
    static final String API = "KUBERNETES_SERVICE_HOST";

    private static final String HOSTS = "/etc/hosts";

    private Kubernetes() {}

    /** Whether this is a pod: every pod has the address of the cluster's API. */
    static boolean isPod(EvidenceReader evidence) {
        return evidence.isSet(API);
    }

    /** The name of this pod, if it ends in a number. */
    static Optional<NumberedName> podName(EvidenceReader evidence) {
        return NumberedName.of(evidence.ownLabel());
    }

    /** A job's name that follows from the pod's name. */
    static Optional<OptionValue> job(Optional<String> name) {
        return name.map(job -> new OptionValue(job, HOST_NAME));
    }

    /** Whether the host at this pod's index has the pod's name. */
    static boolean hasPodAt(EvidenceReader evidence, List<Host> hosts, Optional<OptionValue> index) {
        int position = index.map(own -> Integer.parseInt(own.value())).orElse(0);
        return index.isEmpty()
                || (position < hosts.size()
                        && NumberedName.label(hosts.get(position).name()).equals(evidence.ownLabel()));
    }

    /**
     * The headless service by which the pods of the job find each other, if there is one. In {@code /etc/hosts} the pod's own line is
     * {@code 10.0.0.7 job-1.service.namespace.svc.cluster.local job-1}.
     */
    static Optional<String> subdomain(EvidenceReader evidence) {
        String own = evidence.hostName();
        if (own.indexOf('.') > 0) {
            return domainOf(own, NumberedName.label(own));
        }
        for (String line : evidence.source().text(HOSTS).orElse("").split("\n", -1)) {
            List<String> words = Arrays.asList(line.strip().split("\\s+", -1));
            for (String name : words.subList(1, words.size())) {
                Optional<String> domain = domainOf(name, own);
                if (domain.isPresent() && words.contains(own)) {
                    return domain;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> domainOf(String name, String label) {
        return name.startsWith(label + ".") && SafeName.matches(name)
                ? Optional.of(NumberedName.label(name.substring(label.length() + 1)))
                : Optional.empty();
    }
}
