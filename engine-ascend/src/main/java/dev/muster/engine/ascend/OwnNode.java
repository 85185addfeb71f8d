package dev.muster.engine.ascend;

import dev.muster.spi.CardChoice;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the entry of a rank table that is this node. In doubt it refuses: two nodes with equal ranks hang the job. */
final class OwnNode {

    private final RankTable table;
    private final JobSpec job;
    private final PlatformContract platform;
    private final Node node;

    private OwnNode(RankTable table, JobSpec job, Node node) {
        this.table = table;
        this.job = job;
        this.platform = job.platform();
        this.node = node;
    }

    static TableNode find(RankTable table, JobSpec job, Node node) throws PlanException {
        OwnNode search = new OwnNode(table, job, node);
        TableNode own = switch (table.format()) {
            case TEMPLATE_TWO -> search.pod();
            case LEVEL_LIST -> search.block();
            case TEMPLATE_ONE, SUPERPOD, LAB -> search.server();
        };
        if (own.ranks().isEmpty()) {
            throw search.absence(
                    own.label() + " is this node and has no cards in the rank table, others have",
                    "Start nothing on this node, or give it cards");
        }
        return own;
    }

    /** The table alone says which cards are used; an option that says otherwise is a mistake worth stopping for. */
    static void refuseOtherCards(CardChoice choice, int own, RankTable table, String label) throws PlanException {
        int chosen = choice.ids().isEmpty()
                ? choice.count().orElse(own)
                : choice.ids().size();
        if (choice.origin().startsWith("--") && chosen != own) {
            throw new PlanException(
                    PlanException.Kind.USAGE,
                    choice.origin() + " asks for " + Messages.count(chosen, "card") + ", but rank table " + table.path()
                            + " lists " + own
                            + " for " + label + ". Leave " + choice.origin()
                            + " out: the table says which cards are used");
        }
    }

    private TableNode pod() throws PlanException {
        if (node.name().isPresent()) {
            return podNamed(node.name().get());
        }
        if (node.address().isPresent()) {
            List<TableNode> pods = atAddress(node.address().get());
            if (pods.size() == 1) {
                return pods.get(0);
            }
        }
        // A platform that writes the table also names its pods; without the name something is wrong there.
        boolean namesPods = platform.rankTable().isPresent();
        Optional<TableNode> own = namesPods ? Optional.empty() : byIndex();
        if (own.isEmpty() && !platform.name().equals(PlatformContract.NONE.name())) {
            throw nameless();
        }
        return own.or(this::only)
                .or(() -> byMachine(table.nodes()))
                .orElseThrow(() -> undecided(platform.nameVariable()
                                .map(name -> "Set " + name + " to this pod's name, or give")
                                .orElse("Give")
                        + " --nodes and --node-index"));
    }

    /** Nothing tells which pod of the platform's table this is. */
    private PlanException nameless() {
        return new PlanException(
                PlanException.Kind.CONFIGURATION,
                platform.nameVariable().map(name -> name + " is not set").orElse("the platform does not name this pod")
                        + ", so it is unknown which pod of rank table " + table.path() + " this node is; it lists: "
                        + names() + ". "
                        + platform.nameVariable()
                                .map(name -> "Set it to this pod's name")
                                .or(() -> platform.addressVariable()
                                        .map(name -> "Set " + name + " to the address of its server"))
                                .orElse("Give --nodes and --node-index"));
    }

    private TableNode podNamed(OptionValue name) throws PlanException {
        return table.nodes().stream()
                .filter(pod -> pod.name().equals(name.value()))
                .findFirst()
                .orElseThrow(() -> absence(
                        "pod " + Messages.quote(name.value()) + " (" + name.origin()
                                + ") is not in the rank table; it lists: " + names(),
                        "Check the name, and that the table is this job's"));
    }

    private TableNode server() throws PlanException {
        if (node.address().isPresent() && !isTakenUnseen()) {
            return serverAt(node.address().get());
        }
        return only().or(() -> byMachine(table.nodes()))
                .or(this::byIndex)
                .orElseThrow(() -> undecided(platform.addressVariable()
                                .map(name -> "Set " + name + " to this server's address, or give")
                                .orElse("Give")
                        + " --nodes and --node-index"));
    }

    /** An only server that has no address, but a name, cannot be another one than this. */
    private boolean isTakenUnseen() {
        if (table.nodes().size() != 1) {
            return false;
        }
        return RankTableSource.isTemplateOneByContract(job)
                || table.nodes().get(0).ipAddress().isEmpty();
    }

    /** Several containers on one host are several entries with the host's address. */
    private TableNode serverAt(OptionValue address) throws PlanException {
        List<TableNode> servers = atAddress(address);
        return onlyOf(servers)
                .or(() -> byMachine(servers))
                .or(this::byIndex)
                .filter(servers::contains)
                .orElseThrow(() -> undecided("Address " + Messages.quote(address.value()) + " (" + address.origin()
                        + ") is that of " + servers.size() + " of them: give --nodes and --node-index"));
    }

    /** Whole, not as a part: 10.0.0.1 is not 10.0.0.10. */
    private List<TableNode> atAddress(OptionValue address) throws PlanException {
        List<TableNode> found = table.at(address.value());
        if (found.isEmpty()) {
            throw absence(
                    "server " + Messages.quote(address.value()) + " (" + address.origin()
                            + ") is not in the rank table; it lists: " + servers(),
                    "Check the address, and that the table is this job's");
        }
        return found;
    }

    /** The one entry that bears an address or the name of this machine. */
    private Optional<TableNode> byMachine(List<TableNode> candidates) {
        List<TableNode> nodes = at(candidates, MachineAddresses.withoutLoopback(node.machine()));
        return onlyOf(nodes.isEmpty() ? at(candidates, List.of(node.machine().hostName())) : nodes);
    }

    private Optional<TableNode> byIndex() {
        int count = table.nodes().size();
        OptionalInt index = node.index();
        boolean fits = node.count().orElse(-1) == count && index.isPresent() && index.getAsInt() < count;
        return fits ? Optional.of(table.nodes().get(index.getAsInt())) : Optional.empty();
    }

    /** Version 2.0 names no servers: node i has the i-th of equal blocks of ranks. */
    private TableNode block() throws PlanException {
        TableNode all = table.nodes().get(0);
        int ranks = all.ranks().size();
        int count = node.count().orElse(ranks == 1 ? 1 : 0);
        if (count == 1) {
            return all;
        }
        int index = node.index().orElse(-1);
        if (count == 0 || index < 0 || index >= count) {
            throw refusal(
                    "a table of version 2.0 does not say which of its " + ranks + " ranks are this node's",
                    "Give --nodes N and --node-index I: node I has the I-th of N equal blocks of ranks");
        }
        if (ranks % count != 0) {
            throw refusal(
                    ranks + " ranks cannot be shared equally by " + count + " nodes",
                    "Check the number of nodes, and that the table is this job's");
        }
        int size = ranks / count;
        List<Integer> block = all.ranks().subList(index * size, (index + 1) * size);
        return new TableNode(all.word(), Integer.toString(index), List.of(), block);
    }

    /** The entries that one of these addresses or names belongs to. */
    private static List<TableNode> at(List<TableNode> candidates, List<String> addresses) {
        return candidates.stream()
                .filter(candidate -> addresses.stream().anyMatch(candidate::isAt))
                .toList();
    }

    /** Of a job of several nodes each would take itself for it. */
    private Optional<TableNode> only() {
        return node.count().orElse(1) == 1 ? onlyOf(table.nodes()) : Optional.empty();
    }

    private static Optional<TableNode> onlyOf(List<TableNode> nodes) {
        return nodes.size() == 1 ? Optional.of(nodes.get(0)) : Optional.empty();
    }

    private PlanException undecided(String fix) {
        String word = table.format().nodeWord();
        String problem = table.nodes().size() == 1
                ? "one " + word + ", in a job of " + Messages.count(node.count().orElse(1), "node")
                        + ", and no way to tell whether it is mine"
                : "several " + word + "s and no way to tell which is mine";
        return refusal(problem + "; it lists: " + names(), fix);
    }

    /** The table is one of other nodes; another one may come. */
    private PlanException absence(String problem, String fix) {
        return PlanException.absent(table.path(), table.format().listPointer(), problem, fix);
    }

    private PlanException refusal(String problem, String fix) {
        return PlanException.data(table.path(), table.format().listPointer(), problem, fix);
    }

    /** By the ids of their servers, which are what an address is compared with first. */
    private String servers() {
        return Messages.list(table.nodes().stream()
                .map(server -> server.addresses().isEmpty()
                        ? server.name()
                        : server.addresses().get(0))
                .toList());
    }

    private String names() {
        return Messages.list(table.nodes().stream().map(TableNode::name).toList());
    }
}
