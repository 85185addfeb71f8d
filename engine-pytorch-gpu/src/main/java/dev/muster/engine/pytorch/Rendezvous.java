package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rendezvous of the job's processes, and the index of this node. Every node computes the same master address and port.
 *
 * @param index 0..count-1; the rendezvous is on node 0
 * @param count the number of nodes; 1 if it is unknown
 * @param address a name, an IPv4 address, or an IPv6 address without brackets
 * @param fixedPort the port, if it is known before the attempt starts
 * @param portOrigin where the port comes from
 */
record Rendezvous(int index, int count, String address, OptionalInt fixedPort, String portOrigin) {

    static final EngineOption ADDRESS =
            EngineOption.of("master-addr", EngineOption.Kind.TEXT, "name or address of node 0, the same on every node");
    static final EngineOption PORT = EngineOption.of(
            "master-port", EngineOption.Kind.TEXT, "TCP port of node 0, 1 to 65535, the same on every node");

    private static final String LOCALHOST = "127.0.0.1";
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9._-]+|\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%[A-Za-z0-9._-]+)?]?");
    private static final Pattern LOOPBACK = Pattern.compile("127\\.[0-9]+\\.[0-9]+\\.[0-9]+|(0*+:)++0*+1");
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "localhost.localdomain", "ip6-localhost");

    /** The loopback addresses of nodes in {@code muster simulate}; no machine uses one for itself. */
    private static final Pattern SIMULATED =
            Pattern.compile("127\\.(6[4-9]|[7-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-3])\\.[0-9]+\\.[0-9]+");

    private static final Pattern PORT_NUMBER = Pattern.compile("0*[0-9]{1,5}");
    private static final int HIGHEST_PORT = 65_535;
    /** Ports from here are above the ports that Muster draws, and below the ports of the link. */
    private static final int FIRST_DERIVED = 10_001;

    private static final int DERIVED = 14_999;
    /** A prime number, so that attempts have different ports. It is large, to stay far from the ports of jobs with similar ids. */
    private static final int ATTEMPT_STRIDE = 7919;

    static Rendezvous of(JobSpec job, Node node) throws PlanException {
        int count = node.count().orElse(1);
        int index = index(node, count);
        String address = address(job, node, count);
        Optional<OptionValue> given = job.option(PORT.name());
        Optional<Integer> promised = job.platform().rendezvousPort();
        if (given.isPresent()) {
            OptionalInt port = OptionalInt.of(number(given.get()));
            return new Rendezvous(index, count, address, port, given.get().origin());
        }
        if (count == 1) {
            // No other node needs the port, and several jobs may share the machine.
            return new Rendezvous(index, count, address, OptionalInt.empty(), "drawn");
        }
        OptionalInt port = OptionalInt.of(promised.isPresent() ? promised.get() : derivedPort(job, count));
        String run = job.run() > 1 ? " and run " + job.run() : "";
        String origin =
                promised.isPresent() ? "platform " + job.platform().name() : "from the job id " + job.id() + run;
        return new Rendezvous(index, count, address, port, origin);
    }

    private static int index(Node node, int count) throws PlanException {
        if (node.index().isEmpty() && count > 1) {
            throw PlanException.configuration("the job has " + count + " nodes, and nobody says which of them this is."
                    + " Give --node-index I, from 0 to " + (count - 1) + ", another one on each node");
        }
        return count == 1 ? 0 : node.index().getAsInt();
    }

    boolean isAlone() {
        return count == 1;
    }

    Value port() {
        return fixedPort.isPresent() ? Value.of(fixedPort.getAsInt()) : Value.freePort("rendezvous");
    }

    String portText() {
        return Integer.toString(fixedPort.orElseThrow());
    }

    /** The port that must be free on this node: only on node 0, and not if the runtime draws the port. */
    Optional<RequiredPort> requiredPort() {
        return index == 0 && fixedPort.isPresent()
                ? Optional.of(RequiredPort.of(
                        fixedPort.getAsInt(), "the rendezvous", portOrigin, "Choose another with --master-port"))
                : Optional.empty();
    }

    /** The launchers; node 0 is the leader, and all nodes reach it by the master address. Empty for a job of one node. */
    Optional<LauncherNodes> launchers(List<Host> hosts) {
        if (isAlone()) {
            return Optional.empty();
        }
        List<LauncherNodes.Peer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Optional<Host> host = hosts.size() == count ? Optional.of(hosts.get(i)) : Optional.empty();
            if (i == 0) {
                host = Optional.of(Host.of(host.map(Host::name).orElse(address), Optional.of(address)));
            }
            peers.add(new LauncherNodes.Peer(LauncherNodes.ofNode(i), host));
        }
        return Optional.of(LauncherNodes.of(LauncherNodes.ofNode(index), LauncherNodes.ofNode(0), peers));
    }

    private static String address(JobSpec job, Node node, int count) throws PlanException {
        Optional<OptionValue> option = job.option(ADDRESS.name());
        Optional<String> first =
                node.hosts().stream().findFirst().map(host -> host.address().orElse(host.name()));
        if (option.isEmpty() && count == 1) {
            // The platform's address is used only if this machine surely has it.
            return first.filter(node.machine().addresses()::contains).orElse(LOCALHOST);
        }
        if (option.isEmpty() && first.isEmpty()) {
            throw PlanException.configuration("the job has " + count + " nodes, and nobody says where the first one is."
                    + " Give --hosts H0,H1,... or --master-addr A, the same on every node");
        }
        String address = option.isPresent() ? checked(option.get()) : first.orElseThrow();
        if (count > 1 && isLoopback(address)) {
            throw PlanException.configuration(
                    option.map(OptionValue::origin).orElse("the first host of the job") + " is " + address
                            + ", under which every one of the " + count + " nodes would talk to itself."
                            + " Give --master-addr A, an address of node 0 that the other nodes reach");
        }
        return address;
    }

    private static String checked(OptionValue option) throws PlanException {
        String value = option.value();
        boolean hasBrackets = value.startsWith("[");
        if (!HOST.matcher(value).matches() || hasBrackets != value.endsWith("]")) {
            throw PlanException.ofValue(
                    option,
                    Messages.given(option) + " is neither a host name nor an IP address. Give it without tcp:// and"
                            + " port; the port is --master-port P");
        }
        return hasBrackets ? value.substring(1, value.length() - 1) : value;
    }

    private static boolean isLoopback(String address) {
        boolean loopback =
                LOOPBACK.matcher(address).matches() || LOOPBACK_NAMES.contains(address.toLowerCase(Locale.ROOT));
        return loopback && !SIMULATED.matcher(address).matches();
    }

    private static int number(OptionValue option) throws PlanException {
        boolean isNumber = PORT_NUMBER.matcher(option.value()).matches();
        int port = isNumber ? Integer.parseInt(option.value()) : 0;
        if (port < 1 || port > HIGHEST_PORT) {
            throw PlanException.ofValue(
                    option, Messages.given(option) + " is no TCP port. Give a whole number from 1 to " + HIGHEST_PORT);
        }
        return port;
    }

    /**
     * The port from the job id and the attempt. Java's hash of texts is the same on every machine. Ids that differ only in their last two
     * digits never get the same port, so jobs with successive numbers can share a machine. Every attempt has another port, since
     * processes of the attempt before may still hold theirs.
     */
    private static int derivedPort(JobSpec job, int count) throws PlanException {
        if (!job.idIsShared()) {
            throw PlanException.configuration("the job has " + count
                    + " nodes but no id, from which all of them would compute the same port."
                    + " Give --job-id ID or --master-port P, the same on every node");
        }
        int first = Math.floorMod(job.id().hashCode(), DERIVED);
        return FIRST_DERIVED + (int) ((first + (job.run() - 1L) * ATTEMPT_STRIDE) % DERIVED);
    }
}
