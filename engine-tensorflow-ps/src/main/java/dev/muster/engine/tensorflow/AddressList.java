package dev.muster.engine.tensorflow;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The places where the processes of a role listen, by index.
 *
 * @param origin who said so, for messages, for example {@code TF_PS_HOSTS}
 */
record AddressList(List<Endpoint> endpoints, String origin) {

    private static final Pattern ENTRY =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?)]|([A-Za-z0-9][A-Za-z0-9._-]*))"
                    + ":([0-9]{1,5})");
    private static final int HIGHEST_PORT = 65535;
    private static final String FORM =
            "Write host:port,host:port with ports 1..65535, an IPv6 address in brackets, as [::1]:5000";

    static final AddressList NONE = new AddressList(List.of(), "");

    AddressList {
        endpoints = List.copyOf(endpoints);
    }

    /** Reads a list. ModelArts' pages show it in square brackets, so these may be around it. */
    static AddressList read(OptionValue list) throws PlanException {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String entry : withoutBrackets(list.value().strip()).split(",", -1)) {
            endpoints.add(endpoint(entry.strip(), list));
        }
        return new AddressList(endpoints, list.origin());
    }

    int size() {
        return endpoints.size();
    }

    Endpoint get(int index) {
        return endpoints.get(index);
    }

    private static String withoutBrackets(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static Endpoint endpoint(String entry, OptionValue list) throws PlanException {
        Matcher matcher = ENTRY.matcher(entry);
        OptionalInt port = matcher.matches() ? port(matcher.group(3)) : OptionalInt.empty();
        if (port.isEmpty()) {
            throw PlanException.ofValue(
                    list,
                    list.origin() + ": " + Messages.quote(entry) + " in " + Messages.quote(list.value())
                            + " is no host:port. " + FORM);
        }
        String address = matcher.group(1);
        return Endpoint.fixed(address == null ? matcher.group(2) : address, port.getAsInt());
    }

    private static OptionalInt port(String digits) {
        int port = Integer.parseInt(digits);
        return port >= 1 && port <= HIGHEST_PORT ? OptionalInt.of(port) : OptionalInt.empty();
    }
}
