package dev.muster.engine.tensorflow;

import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The addresses of the processes of a role, by index. In a job whose processes may change, some indices are unknown.
 *
 * @param origin where the list comes from, for messages, for example {@code TF_PS_HOSTS}
 */
record AddressList(SortedMap<Integer, Endpoint> byIndex, String origin) {

    private static final Pattern ENTRY = Pattern.compile(
            "(?:\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?)]|([A-Za-z0-9][A-Za-z0-9._-]{0,252}))"
                    + ":([0-9]{1,5})");
    private static final int HIGHEST_PORT = 65535;
    private static final String FORM =
            "Write host:port,host:port with ports 1..65535, an IPv6 address in brackets, as [::1]:5000";

    static final AddressList NONE = new AddressList(List.of(), "");

    AddressList {
        byIndex = Collections.unmodifiableSortedMap(new TreeMap<>(byIndex));
    }

    /** The processes of a role, from index 0. */
    AddressList(List<Endpoint> endpoints, String origin) {
        this(indexed(endpoints), origin);
    }

    /** Reads a list. ModelArts' pages show it in square brackets, so brackets are allowed. */
    static AddressList read(OptionValue list) throws PlanException {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String entry : withoutBrackets(list.value().strip()).split(",", -1)) {
            endpoints.add(endpoint(entry.strip(), list));
        }
        return new AddressList(endpoints, list.origin());
    }

    int size() {
        return byIndex.size();
    }

    boolean isEmpty() {
        return byIndex.isEmpty();
    }

    List<Endpoint> endpoints() {
        return List.copyOf(byIndex.values());
    }

    /** {@code host:port,host:port}. */
    Value listed() {
        ValueText text = new ValueText();
        String separator = "";
        for (Endpoint endpoint : byIndex.values()) {
            text.add(separator).add(endpoint.text());
            separator = ",";
        }
        return text.value();
    }

    /** As {@link #listed}, for messages. */
    String labels() {
        return byIndex.values().stream().map(Endpoint::label).collect(Collectors.joining(","));
    }

    Endpoint get(int index) {
        return Objects.requireNonNull(byIndex.get(index));
    }

    private static SortedMap<Integer, Endpoint> indexed(List<Endpoint> endpoints) {
        SortedMap<Integer, Endpoint> byIndex = new TreeMap<>();
        for (Endpoint endpoint : endpoints) {
            byIndex.put(byIndex.size(), endpoint);
        }
        return byIndex;
    }

    private static String withoutBrackets(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static Endpoint endpoint(String entry, OptionValue list) throws PlanException {
        Matcher matcher = ENTRY.matcher(entry);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > HIGHEST_PORT) {
            throw PlanException.ofValue(
                    list,
                    list.origin() + ": " + Messages.quote(entry) + " in " + Messages.quote(list.value())
                            + " is no host:port. " + FORM);
        }
        String address = matcher.group(1);
        return Endpoint.fixed(address == null ? matcher.group(2) : address, port);
    }
}
