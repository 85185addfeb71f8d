package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.Node;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where the hosts that the user's ssh configuration gives names of their own really are: Apulis' containers are known to each
 * other only so. Of ssh_config(5) it understands {@code Host} with names or {@code *}, {@code HostName} and {@code Port}; the
 * first that fits counts, as in ssh itself.
 */
final class SshAliases {

    private static final String FILE = "~/.ssh/config";
    private static final int SSH = 22;

    /** {@code HostName} and {@code Port} by host and keyword. */
    private final Map<String, String> values = new HashMap<>();

    private SshAliases() {}

    static List<Input> inputs(Node node) {
        return node.machine().home().stream()
                .<Input>map(home -> new Input.TextFile(FILE, home + "/.ssh/config"))
                .toList();
    }

    static SshAliases read(PlanRequest request) {
        SshAliases aliases = new SshAliases();
        request.input(FILE, InputValue.Text.class).ifPresent(text -> aliases.parse(text.content()));
        return aliases;
    }

    /** A host as ssh would reach it, with a port that is given or said there. */
    MpiHost host(String name, Optional<Integer> port) {
        String address = value(name, "hostname").orElse(name);
        int number = port.orElseGet(() -> value(name, "port")
                .filter(digits -> digits.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .orElse(SSH));
        return new MpiHost(name, address, number);
    }

    private Optional<String> value(String host, String keyword) {
        return Optional.ofNullable(values.getOrDefault(host + " " + keyword, values.get("* " + keyword)));
    }

    private void parse(String text) {
        List<String> hosts = List.of("*");
        for (String line : text.split("\n", -1)) {
            List<String> words = new ArrayList<>(List.of(line.strip().split("[\\s=]+")));
            String keyword = words.remove(0).toLowerCase(Locale.ROOT);
            if (keyword.equals("host")) {
                hosts = words;
            } else if (!words.isEmpty()) {
                hosts.forEach(host -> values.putIfAbsent(host + " " + keyword, words.get(0)));
            }
        }
    }
}
