package dev.muster.runtime.platform;

import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lists of hosts as Slurm writes them: {@code n[001-003,007],x[1-2]y[3-4],login}. The order is that of {@code scontrol show
 * hostnames}, by which Slurm numbers the nodes of a step. Numbers keep the zeros in front of them.
 */
public final class Hostlist {

    /** No job has more; a longer list is a mistake or an attack. */
    static final int MOST_HOSTS = 4096;

    /** At most two brackets: Slurm orders names with more of them in its own way. */
    private static final Pattern ENTRY =
            Pattern.compile("([^\\[\\]]*+)(?:\\[([^\\[\\]]*+)])?([^\\[\\]]*+)(?:\\[([^\\[\\]]*+)])?([^\\[\\]]*+)");

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private final List<String> hosts = new ArrayList<>();

    private Hostlist() {}

    /**
     * The hosts of a list, in its order.
     *
     * @throws IllegalArgumentException with the reason, when it is not such a list, or one of more than {@link #MOST_HOSTS} hosts
     */
    public static List<String> parse(String list) {
        Hostlist parsed = new Hostlist();
        int start = 0;
        while (start <= list.length()) {
            int end = endOfEntry(list, start);
            parsed.add(list.substring(start, end));
            start = end + 1;
        }
        return List.copyOf(parsed.hosts);
    }

    /** Commas within brackets belong to the entry. */
    private static int endOfEntry(String list, int start) {
        boolean isInside = false;
        for (int index = start; index < list.length(); index++) {
            char character = list.charAt(index);
            if (character == ',' && !isInside) {
                return index;
            }
            isInside = character == '[' || (isInside && character != ']');
        }
        return list.length();
    }

    private void add(String entry) {
        Matcher form = ENTRY.matcher(entry);
        if (!form.matches()) {
            throw new IllegalArgumentException("has brackets that are not one or two pairs in a name");
        }
        for (String first : numbers(form.group(2))) {
            for (String second : numbers(form.group(4))) {
                String host = form.group(1) + first + form.group(3) + second + form.group(5);
                if (!SafeName.matches(host)) {
                    throw new IllegalArgumentException(
                            "has " + Printable.quote(host) + ", which is no host name (" + SafeName.FORM + ")");
                }
                requireRoom(1);
                hosts.add(host);
            }
        }
    }

    private List<String> numbers(@Nullable String ranges) {
        if (ranges == null) {
            return List.of("");
        }
        List<String> numbers = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "has " + Printable.quote(range) + " where a number or a range such as 1-3 belongs");
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            if (to < from) {
                throw new IllegalArgumentException("has the range " + range + ", which ends before it begins");
            }
            requireRoom(numbers.size() + (long) to - from + 1);
            String form = "%0" + matcher.group(1).length() + "d";
            // Some locales have other digits.
            IntStream.rangeClosed(from, to).forEach(number -> numbers.add(String.format(Locale.ROOT, form, number)));
        }
        return numbers;
    }

    private void requireRoom(long more) {
        if (hosts.size() + more > MOST_HOSTS) {
            throw new IllegalArgumentException("names more than " + MOST_HOSTS + " hosts");
        }
    }
}
