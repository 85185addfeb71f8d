package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Under which address all processes of the job reach node 0. Every node comes to the same text. */
final class MasterAddress {

    static final EngineOption OPTION =
            EngineOption.of("master-addr", EngineOption.Kind.TEXT, "name or address of node 0, the same on every node");

    /** The option as a variable, for simulated nodes. */
    static final String VARIABLE = "MUSTER_MASTER_ADDR";

    private static final String OWN = "127.0.0.1";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern IPV6 =
            Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[A-Za-z0-9._-]+)?");
    private static final Pattern LOOPBACK = Pattern.compile("127\\.[0-9]+\\.[0-9]+\\.[0-9]+|(0*+:)++0*+1");
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "localhost.localdomain", "ip6-localhost");

    /** Where {@code muster simulate} has its nodes; no machine calls itself by such an address. */
    private static final Pattern SIMULATED =
            Pattern.compile("127\\.(6[4-9]|[7-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-3])\\.[0-9]+\\.[0-9]+");

    private MasterAddress() {}

    /** A name, an IPv4 address or an IPv6 address without brackets. */
    static String of(JobSpec job, Node node, Position position) throws PlanException {
        Optional<OptionValue> option = job.option(OPTION.name());
        String address = option.isPresent() ? checked(option.get()) : ofHosts(node, position);
        if (!position.isAlone() && isLoopback(address)) {
            String origin = option.isPresent() ? option.get().origin() : "the first host of the job";
            throw Messages.configuration(
                    origin + " is " + address + ", under which every one of the " + position.count()
                            + " nodes would talk to itself",
                    "Give --master-addr A, an address of node 0 that the other nodes reach");
        }
        return address;
    }

    /** Node 0 leads: all nodes reach it by this address, where it has no other name. Empty for a job of one node. */
    static Optional<LauncherNodes> launchers(JobSpec job, Node node, Position position) throws PlanException {
        if (position.isAlone()) {
            return Optional.empty();
        }
        String address = of(job, node, position);
        boolean areNamed = node.hosts().size() == position.count();
        List<LauncherNodes.Peer> peers = new ArrayList<>();
        for (int index = 0; index < position.count(); index++) {
            Optional<Host> host = areNamed ? Optional.of(node.hosts().get(index)) : Optional.empty();
            if (index == 0) {
                host = Optional.of(new Host(host.map(Host::name).orElse(address), Optional.of(address)));
            }
            peers.add(new LauncherNodes.Peer(LauncherNodes.ofNode(index), host));
        }
        return Optional.of(LauncherNodes.of(LauncherNodes.ofNode(position.index()), LauncherNodes.ofNode(0), peers));
    }

    private static String ofHosts(Node node, Position position) throws PlanException {
        if (position.isAlone()) {
            return ownAddress(node);
        }
        if (node.hosts().isEmpty()) {
            throw Messages.configuration(
                    "the job has " + position.count() + " nodes, and nobody says where the first one is",
                    "Give --hosts H0,H1,... or --master-addr A, the same on every node");
        }
        return text(node.hosts().get(0));
    }

    /** What the platform calls this machine only where it surely is this machine. */
    private static String ownAddress(Node node) {
        return node.hosts().stream()
                .limit(1)
                .map(MasterAddress::text)
                .filter(address -> node.machine().addresses().contains(address))
                .findFirst()
                .orElse(OWN);
    }

    private static String text(Host host) {
        return host.address().orElse(host.name());
    }

    private static String checked(OptionValue option) throws PlanException {
        String value = option.value();
        boolean brackets = value.startsWith("[") && value.endsWith("]");
        String address = brackets ? value.substring(1, value.length() - 1) : value;
        if (IPV6.matcher(address).matches()
                || (!brackets && NAME.matcher(address).matches())) {
            return address;
        }
        throw Messages.usage(
                Messages.given(option) + " is neither a host name nor an IP address",
                "Give it without tcp:// and port; the port is --master-port P");
    }

    private static boolean isLoopback(String address) {
        boolean loopback =
                LOOPBACK.matcher(address).matches() || LOOPBACK_NAMES.contains(address.toLowerCase(Locale.ROOT));
        return loopback && !SIMULATED.matcher(address).matches();
    }
}
