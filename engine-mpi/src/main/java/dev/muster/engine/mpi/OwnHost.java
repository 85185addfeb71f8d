package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.PlanRequest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * By which names a hostfile may call the host that we are on. mpirun starts ranks there without ssh, so nobody has to serve it:
 * the launcher of an MPIJob with {@code runLauncherAsWorker} is the first host of its hostfile. As mpirun does, only the first
 * part of a name counts, or that it leads to an address of this machine.
 */
final class OwnHost {

    private static final String NAMES = "/etc/hosts";
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final String hostName;
    private final Set<String> known = new HashSet<>(Set.of("localhost"));

    private OwnHost(NodeInfo machine, String names) {
        hostName = plain(machine.hostName());
        Set<String> addresses = new HashSet<>();
        machine.addresses().forEach(address -> addresses.add(plain(address)));
        known.addAll(addresses);
        for (String line : names.split("\n", -1)) {
            List<String> words =
                    Arrays.asList(BLANKS.split(line.split("#", 2)[0].strip().toLowerCase(Locale.ROOT)));
            if (addresses.contains(words.get(0))) {
                known.addAll(words);
            }
        }
    }

    /** What it asks of the machine: names that it gives its addresses itself. */
    static List<Input> inputs() {
        return List.of(new Input.TextFile(NAMES, NAMES));
    }

    static OwnHost of(PlanRequest request) {
        String names = request.input(NAMES, InputValue.Text.class)
                .map(InputValue.Text::content)
                .orElse("");
        return new OwnHost(request.node().machine(), names);
    }

    boolean is(MpiHost host) {
        String name = plain(host.alias());
        boolean isShortName = !ADDRESS.matcher(name).matches() && first(name).equals(first(hostName));
        return isShortName || known.contains(name);
    }

    private static String first(String name) {
        return name.split("\\.", 2)[0];
    }

    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
