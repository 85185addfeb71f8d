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
    private static final String END = "end";

    Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(REFUSED, reason);
        end.ifPresent(job -> line.put(END, EndFacts.write(job).content()));
        return line;
    }

    /** Empty: the line says something else. */
    static Optional<Turning> read(Map<String, Object> line) {
        try {
            Fields fields = new Fields(line);
            Optional<JobEnd> end =
                    line.containsKey(END) ? Optional.of(EndFacts.read(fields.object(END))) : Optional.empty();
            return Optional.of(new Turning(fields.text(REFUSED), end));
        } catch (Fields.Unfit unfit) {
            return Optional.empty();
        }
    }
}
