package dev.muster.engine.mpi;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a {@link Hostfile}. */
final class HostfileReader {

    private static final String SLOTS = "slots=";
    private static final int MOST_SLOTS = 4096;

    /** What can be a host's name or address; never an option of ssh. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,252}");

    private final OptionValue place;
    private final Slots slots;
    private final Map<String, Integer> hosts = new LinkedHashMap<>();
    private final Set<Hostfile.Form> forms = EnumSet.noneOf(Hostfile.Form.class);

    /**
     * A reader of one file.
     *
     * @param place its path, and who named it
     * @param slots of hosts about which it says nothing
     */
    HostfileReader(OptionValue place, Slots slots) {
        this.place = place;
        this.slots = slots;
    }

    Hostfile read(String content) throws PlanException {
        int number = 0;
        for (String line : content.split("\n", -1)) {
            number++;
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!text.isEmpty()) {
                add(text.split("\\s+", -1), place.value() + ", line " + number);
            }
        }
        if (hosts.isEmpty()) {
            throw PlanException.data(
                    place.value(), "", "names no host", "Write a line such as \"worker-0 slots=8\" for each");
        }
        List<Hostfile.Line> lines = new ArrayList<>();
        hosts.forEach((host, count) -> lines.add(new Hostfile.Line(host, count)));
        if (lines.stream().allMatch(line -> line.slots() == 0)) {
            throw PlanException.data(
                    place.value(),
                    "",
                    "has no slot for any rank",
                    "Write a line such as \"worker-0 slots=8\" for each host");
        }
        Hostfile.Form form = forms.size() == 1 ? forms.iterator().next() : Hostfile.Form.MIXED;
        return new Hostfile(place.value(), place.origin(), lines, form);
    }

    private void add(String[] words, String line) throws PlanException {
        String host = words[0];
        int count = slots.number();
        Hostfile.Form form = Hostfile.Form.MIXED;
        int colon = host.lastIndexOf(':');
        if (colon > 0 && host.indexOf(':') == colon) {
            count = count(host.substring(colon + 1), line);
            host = host.substring(0, colon);
            form = Hostfile.Form.HYDRA;
        }
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith(SLOTS)) {
                count = count(words[i].substring(SLOTS.length()), line);
                form = Hostfile.Form.OPEN_MPI;
            }
        }
        if (!HOST.matcher(host).matches()) {
            throw new PlanException(
                    PlanException.Kind.DATA,
                    line + ": " + Messages.quote(host) + " is no name and no address of a host. Write a line such as"
                            + " \"worker-0 slots=8\" for each");
        }
        forms.add(hosts.containsKey(host) ? Hostfile.Form.MIXED : form);
        // mpirun, too, adds up the slots of a host that is named again.
        hosts.merge(host, count, Integer::sum);
    }

    private static int count(String slots, String line) throws PlanException {
        try {
            return Options.number(new OptionValue(slots, line), 0, MOST_SLOTS, "a number of slots");
        } catch (PlanException wrong) {
            throw new PlanException(PlanException.Kind.DATA, String.valueOf(wrong.getMessage()));
        }
    }
}
