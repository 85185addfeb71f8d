package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A platform that tells its nodes by a list of hosts, by a count and an index, or by all of these. {@code platforms.txt} says which
 * variable or file has which of them.
 */
final class ClusterReader extends PlatformReader {

    private final KnownPlatform known;

    ClusterReader(EvidenceReader evidence, KnownPlatform known) {
        super(evidence);
        this.known = known;
    }

    @Override
    Optional<String> sign() {
        return source(HOSTS)
                .or(() -> source("leader"))
                .map(source -> (source.startsWith("/") ? "there is: " : "set: ") + source);
    }

    @Override
    void readAll() {
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, this::nodes);
        option(OptionTable.NODE_INDEX, this::index);
        option(
                OptionTable.CARDS,
                () -> source("cards").flatMap(name -> evidence.number(name, 0, OptionTable.MOST_CARDS)));
        hosts(() -> EvidenceReader.hosts(names()));
    }

    /** The first variable or file for this fact that exists. */
    private Optional<String> source(String property) {
        return known.property(property).stream()
                .filter(source -> source.startsWith("/") ? evidence.source().exists(source) : evidence.isSet(source))
                .findFirst();
    }

    /** An id of digits gets the platform's name in front: jobs of two platforms may have the same number. */
    private Optional<OptionValue> jobId() {
        List<String> set = known.property("job").stream()
                .filter(name -> evidence.value(name)
                        .filter(value -> !value.equals("0") && !value.equals("undefined"))
                        .isPresent())
                .toList();
        String id = set.stream()
                .map(name -> NumberedName.label(evidence.value(name).orElse("")))
                .map(value -> value.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-$", ""))
                .collect(Collectors.joining("-"));
        boolean isNumber = id.matches("[0-9-]+");
        return set.isEmpty()
                ? Optional.empty()
                : Optional.of(new OptionValue(isNumber ? known.name() + "-" + id : id, String.join(", ", set)));
    }

    private Optional<OptionValue> nodes() {
        Optional<OptionValue> count = source("nodes").flatMap(name -> evidence.number(name, 1, OptionTable.MOST_NODES));
        Optional<String> list = source(HOSTS);
        if (list.isEmpty()) {
            return count;
        }
        OptionValue hosts = EvidenceReader.sourced(names().size(), list.get());
        count.filter(told -> !told.value().equals(hosts.value())).ifPresent(told -> {
            throw MusterException.configuration(told.origin() + "=" + told.value() + ", but " + list.get() + " names "
                    + hosts.value() + " hosts. Correct one of them, or give --nodes N and --node-index I");
        });
        return Optional.of(hosts);
    }

    private Optional<OptionValue> index() {
        Optional<String> variable = source("index");
        if (variable.isPresent() || source(HOSTS).isEmpty()) {
            return variable.flatMap(evidence::index);
        }
        List<String> names = names();
        String own = self();
        int index = indexOf(own, names);
        if (index < 0) {
            boolean isUnclear = names.stream().anyMatch(name -> hasLabel(name, own));
            throw MusterException.configuration("this host, " + Printable.quote(own)
                    + (isUnclear ? ", may be several of the " : ", is none of the ")
                    + names.size() + " of " + source(HOSTS).orElseThrow() + " (" + names.get(0)
                    + ", ...). Give --node-index I");
        }
        return Optional.of(EvidenceReader.sourced(index, source(HOSTS).orElseThrow()));
    }

    /** This host's index by its whole name or an address, else by a first label that one node alone has; -1: not found. */
    private int indexOf(String own, List<String> names) {
        return IntStream.range(0, names.size())
                .filter(node -> isCalled(names.get(node), own))
                .findFirst()
                .orElseGet(() -> indexByLabel(own, names));
    }

    private int indexByLabel(String own, List<String> names) {
        if (names.size() == 1 && source("self").isEmpty()) {
            return 0; // the list may have another name for this host
        }
        int[] alike = IntStream.range(0, names.size())
                .filter(node -> hasLabel(names.get(node), own))
                .toArray();
        return alike.length == 1 ? alike[0] : -1;
    }

    private boolean isCalled(String name, String own) {
        return name.equalsIgnoreCase(own)
                || evidence.source().machine().addresses().contains(name);
    }

    private static boolean hasLabel(String name, String own) {
        return name.matches(".*[A-Za-z].*") && NumberedName.label(name).equalsIgnoreCase(NumberedName.label(own));
    }

    private String self() {
        Optional<String> source = source("self");
        Optional<String> file = source.filter(path -> path.startsWith("/"));
        if (file.isPresent()) {
            return file.flatMap(evidence.source()::text)
                    .flatMap(text -> Json.read(text).object())
                    .map(object -> String.valueOf(object.get("current_host")))
                    .orElse("");
        }
        return source.flatMap(evidence::value).orElse(evidence.hostName());
    }

    /** All nodes in their order; none where only their count is known. */
    private List<String> names() {
        Optional<String> list = source(HOSTS);
        List<String> names = list.map(source -> HostNames.in(evidence, source)).orElseGet(this::afterTheLeader);
        list.filter(source -> names.isEmpty() || !names.stream().allMatch(Hosts::isHost))
                .ifPresent(source -> {
                    throw MusterException.configuration(source + "="
                            + Printable.quote(evidence.value(source).orElse(""))
                            + " names no hosts that can be read. Give --hosts A,B,... and --node-index I");
                });
        return names;
    }

    /** The leader is {@code a-0.b}, and the others are {@code a-0-1.b}, {@code a-0-2.b} and so on. */
    private List<String> afterTheLeader() {
        Optional<String> leader = source("leader").flatMap(evidence::host).map(OptionValue::value);
        int count = nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(0);
        return leader.isEmpty()
                ? List.of()
                : IntStream.range(0, count)
                        .mapToObj(node -> after(leader.get(), node))
                        .toList();
    }

    private static String after(String leader, int node) {
        String label = NumberedName.label(leader);
        return node == 0 ? leader : label + "-" + node + leader.substring(label.length());
    }
}
