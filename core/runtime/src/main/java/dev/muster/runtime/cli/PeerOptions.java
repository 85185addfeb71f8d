package dev.muster.runtime.cli;

import dev.muster.runtime.text.TextResource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of other launchers, and Muster's options for the same: {@code peer-options.txt}. */
final class PeerOptions {

    private static final Pattern FLAG = Pattern.compile("--[a-z-]+");

    private static final Map<String, Row> ROWS = read();

    /**
     * One option of a peer.
     *
     * @param values how many words follow it
     * @param advice the first one with a known option counts, else the last one
     */
    private record Row(int values, List<String> advice) {}

    private PeerOptions() {}

    /** What to give instead, to be read after the option; empty: no peer has it. */
    static Optional<String> advice(String flag, Collection<String> known) {
        return row(flag)
                .map(row -> row.advice().stream()
                        .filter(advice -> isKnown(advice, known))
                        .findFirst()
                        .orElse(row.advice().get(row.advice().size() - 1)));
    }

    /** How many words follow it; empty: no peer has it. */
    static Optional<Integer> values(String flag) {
        return row(flag).map(Row::values);
    }

    private static boolean isKnown(String advice, Collection<String> known) {
        Matcher flag = FLAG.matcher(advice);
        return flag.lookingAt() && known.contains(flag.group());
    }

    private static Optional<Row> row(String flag) {
        String name = flag.replaceFirst("^--?", "").replace('_', '-');
        return flag.length() == 3 && flag.startsWith("--") ? Optional.empty() : Optional.ofNullable(ROWS.get(name));
    }

    private static Map<String, Row> read() {
        Map<String, Row> rows = new HashMap<>();
        for (String line : TextResource.lines(PeerOptions.class, "peer-options.txt")) {
            String[] parts = line.split(" : ", 2);
            List<String> advice = List.of(parts[1].split(" \\| ", -1));
            for (String name : parts[0].split(" ", -1)) {
                int values = name.endsWith("!") ? 0 : name.endsWith("+") ? 2 : 1;
                rows.put(values == 1 ? name : name.substring(0, name.length() - 1), new Row(values, advice));
            }
        }
        return rows;
    }
}
