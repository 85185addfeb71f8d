package dev.muster.runtime.certify;

import dev.muster.runtime.certify.CertifyReport.Finding;
import dev.muster.runtime.text.TextResource;
import java.util.List;
import java.util.Locale;

/**
 * A rule for launchers: a row of {@code rules.txt}, which explains the columns.
 *
 * @param nodes {@code 1}, or {@code n} if it is tried on several nodes, too
 * @param code the launcher's expected exit code, or {@code any}
 */
record Rule(String number, String nodes, String trial, int signal, String code, String title) {

    static final List<Rule> ALL = TextResource.lines(Rule.class, "rules.txt").stream()
            .map(line -> line.split(" \\| ", -1))
            .map(row -> new Rule(row[0], row[1], row[2], Integer.parseInt(row[3]), row[4], row[5]))
            .toList();

    private static final String ANY = "any";

    static Rule of(String number) {
        return ALL.stream()
                .filter(rule -> rule.number.equals(number))
                .findFirst()
                .orElseThrow();
    }

    boolean is(String otherTrial) {
        return trial.equals(otherTrial);
    }

    /** Whether a launcher may end with this code. */
    boolean isRight(int end) {
        return code.equals(ANY) || code.equals(Integer.toString(end));
    }

    /** What the contract demands of the launcher's end. */
    String expected() {
        return (code.equals(ANY) ? "it ends" : "exit code " + code) + (isOfProcesses() ? ", nothing is left" : "");
    }

    /** Whether it has its own trial in a job of this size. */
    boolean appliesTo(int count) {
        return !is("-") && (count == 1 || nodes.equals("n"));
    }

    /** Whether it is about tables of the platform. */
    boolean isOfTables() {
        return number.startsWith("R8");
    }

    /** Whether it is about processes that are left behind. */
    boolean isOfProcesses() {
        return number.compareTo("R9.5") >= 0;
    }

    Finding finding(int count, boolean isKept, String expected, String seen) {
        String page = "docs/certify.md#" + number.substring(0, 2).toLowerCase(Locale.ROOT);
        return new Finding(number, title, count, isKept, expected, seen, page);
    }
}
