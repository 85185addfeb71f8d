package dev.muster.runtime.certify;

import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings, as in {@code docs/certify.schema.json}.
 *
 * @param launcher its words
 * @param broken the number of rows with a broken rule
 */
record CertifyReport(String engine, String platform, List<String> launcher, long broken, List<Finding> rules) {

    /**
     * Whether a rule is kept in a job of this size.
     *
     * @param expected what the contract says
     * @param seen what the launcher did
     */
    record Finding(String rule, String title, int nodes, boolean kept, String expected, String seen, String page) {}

    /** A row for each rule; below a broken one, what was expected and what was seen. */
    String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RULE", "NODES", "RESULT", "PAGE", "WHAT"));
        for (Finding found : rules) {
            String nodes = Integer.toString(found.nodes());
            rows.add(List.of(found.rule(), nodes, found.kept() ? "kept" : "BROKEN", found.page(), found.title()));
            if (!found.kept()) {
                rows.add(List.of("", "", "", "", "  expected: " + Printable.escape(found.expected())));
                rows.add(List.of("", "", "", "", "  seen: " + Printable.escape(found.seen())));
            }
        }
        return Columns.align(rows) + (rules.size() - broken) + " kept, " + broken + " broken\n";
    }
}
