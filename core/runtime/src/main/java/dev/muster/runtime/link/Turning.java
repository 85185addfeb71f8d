package dev.muster.runtime.link;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A leader's word to a launcher that knows the key and is not taken in.
 *
 * @param reason one line for its user
 * @param end how the job ends for it; empty: it should come again
 */
record Turning(String reason, Optional<JobEnd> end) {

    private static final String REFUSED = "refused";
    private static final String CODE = "code";
    private static final String KIND = "kind";
    private static final String LAUNCHER = "launcher";
    private static final String HOST = "host";

    Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(REFUSED, reason);
        end.ifPresent(job -> {
            line.put(CODE, (long) job.exitCode());
            line.put(KIND, job.kind().name());
            line.put(LAUNCHER, job.launcher());
            job.host().ifPresent(host -> line.put(HOST, host));
        });
        return line;
    }

    /** Empty: the line says something else. */
    static Optional<Turning> read(Map<String, Object> line) {
        if (!(line.get(REFUSED) instanceof String reason)) {
            return Optional.empty();
        }
        return Optional.of(new Turning(reason, end(line, reason)));
    }

    private static Optional<JobEnd> end(Map<String, Object> line, String reason) {
        if (line.get(CODE) instanceof Long code
                && line.get(KIND) instanceof String kind
                && line.get(LAUNCHER) instanceof String launcher) {
            Optional<String> host = line.get(HOST) instanceof String name ? Optional.of(name) : Optional.empty();
            return Optional.of(JobEnd.of(kind(kind), launcher, host, code.intValue(), reason));
        }
        return Optional.empty();
    }

    private static JobEnd.Kind kind(String name) {
        for (JobEnd.Kind kind : JobEnd.Kind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return JobEnd.Kind.REFUSED;
    }
}
