package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.Node;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where the hosts that the user's ssh configuration gives names of their own really are: Apulis' containers are known to each
 * other only so. Of ssh_config(5) it understands {@code Host} with its patterns and {@code HostName}; the first that fits
 * counts, as in ssh itself. What stands under {@code Match}, or in other files, is not looked at.
 */
final class SshAliases {

    private static final String FILE = "~/.ssh/config";
    private static final String NAME = "hostname";
    private static final Pattern BETWEEN = Pattern.compile("[\\s=]+");

    /** A {@code HostName} and the patterns of the hosts that it is for. */
    private record Alias(List<String> patterns, String hostName) {

        boolean isFor(String host) {
            return patterns.stream().anyMatch(pattern -> matches(pattern, host))
                    && patterns.stream()
                            .noneMatch(pattern -> pattern.startsWith("!") && matches(pattern.substring(1), host));
        }

        private static boolean matches(String pattern, String host) {
            StringBuilder regex = new StringBuilder();
            for (char letter : pattern.toLowerCase(Locale.ROOT).toCharArray()) {
                regex.append(letter == '*' ? ".*" : letter == '?' ? "." : Pattern.quote(String.valueOf(letter)));
            }
            return host.toLowerCase(Locale.ROOT).matches(regex.toString());
        }
    }

    private final List<Alias> aliases = new ArrayList<>();

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

    /** Where ssh finds a host. */
    String address(String host) {
        Optional<Alias> alias =
                aliases.stream().filter(each -> each.isFor(host)).findFirst();
        return alias.map(each -> each.hostName().replace("%h", host)).orElse(host);
    }

    private void parse(String text) {
        List<String> patterns = List.of("*");
        for (String line : text.split("\n", -1)) {
            List<String> words =
                    new ArrayList<>(List.of(BETWEEN.split(line.strip().replace("\"", ""))));
            String keyword = words.remove(0).toLowerCase(Locale.ROOT);
            if (keyword.equals("host")) {
                patterns = List.copyOf(words);
            } else if (keyword.equals("match")) {
                patterns = List.of();
            } else if (keyword.equals(NAME) && !words.isEmpty()) {
                aliases.add(new Alias(patterns, words.get(0)));
            }
        }
    }
}
