package dev.muster.engine.ascend;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the entry of a rank table that is this node. In doubt it refuses: two nodes with equal ranks hang the job. */
record TableNodeFinder(RankTable table, JobSpec job, Node node) {

    static TableNode find(RankTable table, JobSpec job, Node node) throws PlanException {
        TableNodeFinder search = new TableNodeFinder(table, job, node);
        TableNode own = table.namesNodes() ? search.entry() : search.rankBlock();
        if (own.ranks().isEmpty()) {
            throw search.absence(
                    own.label() + " is this node and has no cards in the rank table, others have",
                    "Start nothing on this node, or give it cards");
        }
        return own;
    }

    private TableNode entry() throws PlanException {
        if (isPod() && node.name().isPresent()) {
            return byPodName(node.name().get());
        }
        if (node.address().isPresent() && !isAssumed()) {
            return byAddress(node.address().get());
        }
        // A platform that writes the table also tells each pod its name or address. It is an error if it told neither.
        Optional<String> variable = job.platform().nameVariable().or(job.platform()::addressVariable);
        if (isPod() && job.platform().rankTable().isPresent() && variable.isPresent()) {
            throw PlanException.configuration(
                    variable.get() + " is not set, so it is unknown which pod of rank table " + table.path()
                            + " this node is; it lists: " + names() + ". Set it to the name or address of this pod");
        }
        // In a job of several nodes every node would take the only entry for itself.
        return table.nodes().size() == 1 && node.count().orElse(1) == 1
                ? table.nodes().get(0)
                : choose(
                        table.nodes(),
                        job.platform()
                                .addressVariable()
                                .map(name -> "Set " + name + " to this server's address, or give"));
    }

    /**
     * The entry of this node. The machine's own addresses and name count more than the node index.
     *
     * @param advice a better fix than the node index, as the beginning of a sentence
     */
    private TableNode choose(List<TableNode> candidates, Optional<String> advice) throws PlanException {
        return byMachine(candidates)
                .or(() -> byIndex().filter(candidates::contains))
                .orElseThrow(() -> undecided(advice));
    }

    private boolean isPod() {
        return table.format() == RankTableFormat.TEMPLATE_TWO;
    }

    private TableNode byPodName(OptionValue name) throws PlanException {
        return table.nodes().stream()
                .filter(pod -> pod.name().equals(name.value()))
                .findFirst()
                .orElseThrow(() -> absence(
                        "pod " + Messages.quote(name.value()) + " (" + name.origin()
                                + ") is not in the rank table; it lists: " + names(),
                        "Check the name, and that the table is this job's"));
    }

    /** Whether the only server is this node without a check: it has a name and no address, or ModelArts' contract says so. */
    private boolean isAssumed() {
        boolean isSure = RankTableSource.isTemplateOneByContract(job)
                || table.nodes().get(0).ipAddress().isEmpty();
        return !isPod() && table.nodes().size() == 1 && isSure;
    }

    /** Compares whole addresses, not parts: 10.0.0.1 is not 10.0.0.10. */
    private TableNode byAddress(OptionValue address) throws PlanException {
        List<TableNode> found = table.nodes().stream()
                .filter(entry -> entry.isAt(address.value()))
                .toList();
        String given = Messages.quote(address.value()) + " (" + address.origin() + ")";
        if (found.isEmpty()) {
            throw absence(
                    "server " + given + " is not in the rank table; it lists: " + servers(),
                    "Check the address, and that the table is this job's");
        }
        return found.size() == 1
                ? found.get(0)
                : choose(found, Optional.of("Address " + given + " is that of " + found.size() + " of them: give"));
    }

    /** The only entry with an address of this machine, else the only entry with its name. */
    private Optional<TableNode> byMachine(List<TableNode> candidates) {
        List<String> addresses = ServerPlace.addresses(node.machine());
        List<TableNode> own = candidates.stream()
                .filter(entry -> addresses.stream().anyMatch(entry::isAt))
                .toList();
        if (own.isEmpty()) {
            own = candidates.stream()
                    .filter(entry -> entry.isAt(node.machine().hostName()))
                    .toList();
        }
        return own.size() == 1 ? Optional.of(own.get(0)) : Optional.empty();
    }

    private Optional<TableNode> byIndex() {
        int count = table.nodes().size();
        OptionalInt index = node.index();
        boolean fits = node.count().orElse(-1) == count && index.isPresent() && index.getAsInt() < count;
        return fits ? Optional.of(table.nodes().get(index.getAsInt())) : Optional.empty();
    }

    /** Version 2.0 names no servers: node i has the i-th of equal blocks of ranks. */
    private TableNode rankBlock() throws PlanException {
        TableNode all = table.nodes().get(0);
        int ranks = all.ranks().size();
        int count = node.count().orElse(ranks == 1 ? 1 : 0);
        int index = count == 1 ? 0 : node.index().orElse(-1);
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
        int first = index * size;
        List<Integer> cards = all.cards().isEmpty() ? List.of() : all.cards().subList(first, first + size);
        List<Integer> block = all.ranks().subList(first, first + size);
        return new TableNode(all.word(), Integer.toString(index), List.of(), block, cards);
    }

    private PlanException undecided(Optional<String> advice) {
        String word = table.format().nodeWord;
        int listed = table.nodes().size();
        String size = Messages.count(node.count().orElse(listed), "node");
        String problem = listed == 1
                ? "one " + word + ", in a job of " + size + ", and no way to tell whether it is mine"
                : "several " + word + "s and no way to tell which is mine";
        boolean isOther = advice.isEmpty() && node.count().orElse(listed) != listed;
        return refusal(
                problem + "; it lists: " + names(),
                isOther
                        ? "The job has " + size + ": correct --nodes and --node-index, or give the table of this job"
                        : advice.orElse("Give") + " --nodes and --node-index");
    }

    /** The table lists only other nodes. The platform may write a new one. */
    private PlanException absence(String problem, String fix) {
        return PlanException.absent(table.path(), table.format().listPointer, problem, fix);
    }

    private PlanException refusal(String problem, String fix) {
        return PlanException.data(table.path(), table.format().listPointer, problem, fix);
    }

    /** The servers by their ids, because an address is compared with the id first. */
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
