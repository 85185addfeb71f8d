package dev.muster.runtime.config;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host as ssh is told of it.
 *
 * @param user with {@code @}; empty: the one that ssh knows
 * @param name or address, or an alias of ssh's configuration
 * @param port empty: the one that ssh knows
 * @param slots how many ranks it has, where a hostfile says so
 */
public record SshHost(String user, String name, String port, OptionalInt slots) {

    static final String FORM = "a list of hosts as [USER@]HOST[:PORT], such as gpu1,me@gpu2:2222";

    private static final Pattern WRITTEN = Pattern.compile(
            "((?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?)(?:\\[([^\\[\\]]+)]|([^:@\\[\\]]+))(?::([1-9][0-9]{0,4}))?");

    static boolean areValid(String list) {
        return Arrays.stream(list.split(",", -1)).allMatch(host -> parse(host).isPresent());
    }

    /** The hosts of a valid list. */
    public static List<SshHost> parseAll(String list) {
        return Arrays.stream(list.split(",", -1))
                .flatMap(host -> parse(host).stream())
                .toList();
    }

    /** Empty for what is no host. */
    public static Optional<SshHost> parse(String text) {
        String written = text.strip();
        if (Hosts.isHost(written)) {
            return Optional.of(new SshHost("", written, "", OptionalInt.empty()));
        }
        Matcher form = WRITTEN.matcher(written);
        if (!form.matches()) {
            return Optional.empty();
        }
        String port = Objects.requireNonNullElse(form.group(4), "");
        String name = Objects.requireNonNullElseGet(form.group(2), () -> form.group(3));
        return Optional.of(new SshHost(form.group(1), name, port, OptionalInt.empty()))
                .filter(host -> Hosts.isHost(name) && Integer.parseInt("0" + port) <= OptionTable.HIGHEST_PORT);
    }

    public SshHost withSlots(int ranks) {
        return new SshHost(user, name, port, OptionalInt.of(ranks));
    }

    /** Where ssh is to go, as it takes it on its command line. */
    public List<String> words() {
        return port.isEmpty() ? List.of(user + name) : List.of("-p", port, user + name);
    }
}
