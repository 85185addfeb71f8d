package dev.muster.engine.mpi;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a hostfile that names a host. It is read as mpirun reads it; what mpirun refuses or ignores is refused.
 *
 * @param place file and number, for messages
 * @param words without spaces around {@code =}
 */
record HostLine(String place, List<String> words) {

    /** What can be a host's name or address; never an option of ssh. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,252}");

    /** With a number of slots; more colons are those of an address. */
    private static final Pattern HYDRA = Pattern.compile("([^:]+):([^:]*)");

    private static final Pattern SLOTS = Pattern.compile("(slots|cpu|count)=([0-9]+)");

    private static final Pattern MOST_SLOTS =
            Pattern.compile("((slots|cpu|count)[_-]max|max[_-](slots|cpu|count))=([0-9]+)");

    HostLine {
        words = List.copyOf(words);
    }

    /**
     * Adds this line's slots to those of its host.
     *
     * @param counted the hosts that have {@code slots=} in a line before: a second number contradicts the first
     * @param usual how many slots a host has where the line does not tell
     */
    void addTo(Map<String, Integer> slots, Set<String> counted, int usual) throws PlanException {
        Matcher hydra = HYDRA.matcher(words.get(0));
        int count = hydra.matches() ? number(hydra.group(2)) : -1;
        int most = -1;
        String host = checked(hydra.matches() ? hydra.group(1) : words.get(0));
        for (String word : words.subList(1, words.size())) {
            Matcher given = SLOTS.matcher(word);
            Matcher limit = MOST_SLOTS.matcher(word);
            if (given.matches() && count < 0 && counted.add(host)) {
                count = number(given.group(2));
            } else if (limit.matches() && most < 0) {
                most = number(limit.group(4));
            } else {
                String second = " is a second number of slots for host " + host;
                throw refusal(Messages.quote(word) + (given.matches() ? second : " is not understood"));
            }
        }
        if (most >= 0 && most < count) {
            throw refusal("the limit of " + most + " slots is less than slots=" + count);
        }
        slots.merge(host, count >= 0 ? count : most >= 0 ? most : usual, Integer::sum);
    }

    private String checked(String host) throws PlanException {
        if (!HOST.matcher(host).matches()) {
            throw refusal(Messages.quote(host) + " is no name and no address of a host");
        }
        return host;
    }

    private int number(String slots) throws PlanException {
        try {
            return Options.slots(new OptionValue(slots, place), "a number of slots");
        } catch (PlanException wrong) {
            throw new PlanException(PlanException.Kind.DATA, String.valueOf(wrong.getMessage()));
        }
    }

    private PlanException refusal(String problem) {
        return new PlanException(
                PlanException.Kind.DATA,
                place + ": " + problem + ". Write a line such as \"worker-0 slots=8\" for each host");
    }
}
