package dev.muster.runtime.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host as a user writes it for ssh.
 *
 * @param user empty: ssh's default
 * @param name or address, or an alias of ssh's configuration
 * @param port empty: ssh's default
 * @param slots how many ranks it has, where a hostfile says so
 */
public record SshHost(Optional<String> user, String name, OptionalInt port, OptionalInt slots) {

    static final String FORM = "a list of hosts as [USER@]HOST[:PORT], such as gpu1,me@gpu2:2222";

    private static final Pattern WRITTEN = Pattern.compile(
            "(?:([A-Za-z0-9._][A-Za-z0-9._-]*)@)?(?:\\[([^\\[\\]]+)]|([^:@\\[\\]]+))(?::([0-9]{1,5}))?");

    static boolean areValid(String list) {
        return Arrays.stream(list.split(",", -1)).allMatch(host -> parse(host).isPresent());
    }

    /** The hosts of a valid list. */
    public static List<SshHost> parseAll(String list) {
        return Arrays.stream(list.split(",", -1))
                .flatMap(host -> parse(host).stream())
                .toList();
    }

    /** Reads a host; empty: the text is none. */
    public static Optional<SshHost> parse(String text) {
        String written = text.strip();
        if (Hosts.isHost(written)) {
            return Optional.of(new SshHost(Optional.empty(), written, OptionalInt.empty(), OptionalInt.empty()));
        }
        Matcher form = WRITTEN.matcher(written);
        if (!form.matches()) {
            return Optional.empty();
        }
        OptionalInt port = Optional.ofNullable(form.group(4)).stream()
                .mapToInt(Integer::parseInt)
                .findFirst();
        String name = Optional.ofNullable(form.group(2)).orElseGet(() -> form.group(3));
        boolean isValid = Hosts.isHost(name) && port.orElse(1) >= 1 && port.orElse(1) <= OptionTable.HIGHEST_PORT;
        return isValid
                ? Optional.of(new SshHost(Optional.ofNullable(form.group(1)), name, port, OptionalInt.empty()))
                : Optional.empty();
    }

    public SshHost withSlots(OptionalInt ranks) {
        return new SshHost(user, name, port, ranks);
    }

    /** The words for this host on ssh's command line. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        port.ifPresent(number -> words.addAll(List.of("-p", Integer.toString(number))));
        words.add(user.map(who -> who + "@").orElse("") + name);
        return words;
    }
}
