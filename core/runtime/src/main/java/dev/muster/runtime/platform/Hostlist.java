package dev.muster.runtime.platform;

import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists of hosts as Slurm writes them: {@code n[001-003,007],x[1-2]y[3-4],login}. The order is that of {@code scontrol show
 * hostnames}, by which Slurm numbers the nodes of a step. Numbers keep the zeros in front of them.
 */
final class Hostlist {

    /** No job has more; a longer list is a mistake or an attack. */
    static final int MOST_HOSTS = 4096;

    /** More than the dimensions of any machine. */
    private static final int MOST_BRACKETS = 16;

    private static final Pattern PART = Pattern.compile("\\[([^]]*)]|[^\\[]++");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private final List<String> hosts = new ArrayList<>();

    private Hostlist() {}

    /**
     * The hosts of a list, in its order.
     *
     * @throws Invalid with the reason, when it is not such a list, or one of more than {@link #MOST_HOSTS} hosts
     */
    static List<String> parse(String list) throws Invalid {
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
    private static int endOfEntry(String list, int start) throws Invalid {
        boolean isInside = false;
        for (int index = start; index < list.length(); index++) {
            char character = list.charAt(index);
            if (character == ',' && !isInside) {
                return index;
            }
            if (character == '[' || character == ']') {
                if (isInside == (character == '[')) {
                    throw new Invalid("has a " + character + " that belongs to no other bracket");
                }
                isInside = !isInside;
            }
        }
        if (isInside) {
            throw new Invalid("ends inside brackets");
        }
        return list.length();
    }

    private void add(String entry) throws Invalid {
        List<List<String>> parts = new ArrayList<>();
        List<Integer> brackets = new ArrayList<>();
        long count = 1;
        Matcher part = PART.matcher(entry);
        while (part.find()) {
            if (part.group(1) != null) {
                brackets.add(parts.size());
            }
            parts.add(part.group(1) == null ? List.of(part.group()) : numbers(part.group(1)));
            count *= parts.get(parts.size() - 1).size();
            demandRoomFor(count);
        }
        if (brackets.size() > MOST_BRACKETS) {
            throw new Invalid("has a name with more than " + MOST_BRACKETS + " pairs of brackets");
        }
        String[] chosen = parts.stream().map(choices -> choices.get(0)).toArray(String[]::new);
        combine(parts, slowestFirst(brackets), chosen);
    }

    /** Slurm changes the last place fastest, then the first, the second and so on: the one before the last is the slowest. */
    private static List<Integer> slowestFirst(List<Integer> places) {
        List<Integer> order = new ArrayList<>(places);
        Collections.reverse(order);
        Collections.rotate(order, -1);
        return order;
    }

    private List<String> numbers(String ranges) throws Invalid {
        List<String> numbers = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                throw new Invalid("has " + Printable.quote(range) + " where a number or a range such as 1-3 belongs");
            }
            String first = matcher.group(1);
            int from = Integer.parseInt(first);
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            if (to < from) {
                throw new Invalid("has the range " + range + ", which ends before it begins");
            }
            demandRoomFor(numbers.size() + (long) to - from + 1);
            for (int number = from; number <= to; number++) {
                numbers.add(String.format("%0" + first.length() + "d", number));
            }
        }
        return numbers;
    }

    private void demandRoomFor(long more) throws Invalid {
        if (hosts.size() + more > MOST_HOSTS) {
            throw new Invalid("names more than " + MOST_HOSTS + " hosts");
        }
    }

    private void combine(List<List<String>> parts, List<Integer> places, String[] chosen) throws Invalid {
        if (places.isEmpty()) {
            String host = String.join("", chosen);
            if (!SafeName.matches(host)) {
                throw new Invalid("has " + Printable.quote(host) + ", which is no host name (" + SafeName.FORM + ")");
            }
            hosts.add(host);
            return;
        }
        int place = places.get(0);
        for (String choice : parts.get(place)) {
            chosen[place] = choice;
            combine(parts, places.subList(1, places.size()), chosen);
        }
    }

    /** Why a text is no list of hosts; the words follow its name. */
    static final class Invalid extends Exception {

        private static final long serialVersionUID = 1L;

        Invalid(String reason) {
            super(reason);
        }
    }
}
