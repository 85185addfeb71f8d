package dev.muster.engine.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Formats texts and numbers for messages. */
final class Messages {

    private static final int LONGEST_TEXT = 120;

    private Messages() {}

    /** The text in double quotes, cut off when it is long. The runtime escapes characters that could damage a terminal. */
    static String quote(String text) {
        return "\"" + (text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text) + "\"";
    }

    /** A number of processes of a role: {@code 1 worker}, {@code 2 workers}, {@code 2 ps}. */
    static String count(int number, Role role) {
        return number + " " + role.word() + (number == 1 || role == Role.PS ? "" : "s");
    }

    /** All processes of a job: {@code 2 ps, 2 workers and 1 chief}. */
    static String counts(Cluster cluster) {
        List<String> counts = new ArrayList<>();
        for (Map.Entry<Role, AddressList> list : cluster.lists().entrySet()) {
            if (!list.getValue().isEmpty()) {
                counts.add(count(list.getValue().size(), list.getKey()));
            }
        }
        if (counts.isEmpty()) {
            return "no member";
        }
        int last = counts.size() - 1;
        return last < 1
                ? String.join("", counts)
                : String.join(", ", counts.subList(0, last)) + " and " + counts.get(last);
    }
}
