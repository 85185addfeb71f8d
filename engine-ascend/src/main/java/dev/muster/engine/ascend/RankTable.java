package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;

/**
 * The data of a rank table of any format. Its ranks are 0..{@link #cards()}-1, each once.
 *
 * @param source the file as it was read
 * @param nodes in the order of their ranks; the level list does not name nodes, so it has one node with all ranks
 * @param rewritten the content for the ranks, if it must differ from the file
 * @param warnings for the user
 */
record RankTable(
        InputValue.Json source,
        RankTableFormat format,
        List<TableNode> nodes,
        Optional<Value> rewritten,
        List<Note> warnings)
        implements InputValue {

    /** The most cards that a table may list. */
    static final int MOST_CARDS = 100_000;

    RankTable {
        nodes = List.copyOf(nodes);
        warnings = List.copyOf(warnings);
    }

    /** Reads and checks a table. Its content tells the family, never the name of a variable or file. */
    static RankTable read(InputValue.Json source) throws PlanException {
        JsonView table = JsonView.of(source);
        if (table.has("rank_list")) {
            return RankListParser.read(source);
        }
        if (table.has("server_list")) {
            return new ServerListParser(source).read();
        }
        if (table.has("group_list")) {
            return new GroupListParser(source).read();
        }
        throw table.refusal(
                "this is no rank table: its keys are " + Messages.list(table.keys()),
                "Give a table of template 1 or 1.2 (server_list), template 2 or lab (group_list), or 2.0 (rank_list)");
    }

    String path() {
        return source.path();
    }

    /** The nodes that have cards. */
    List<TableNode> withCards() {
        return nodes.stream().filter(node -> !node.ranks().isEmpty()).toList();
    }

    /** The number of cards of the whole job, which is also the number of ranks. */
    int cards() {
        return nodes.stream().mapToInt(node -> node.ranks().size()).sum();
    }

    /** Whether all nodes that have cards have the same number of them. */
    boolean isEven() {
        return withCards().stream()
                        .mapToInt(node -> node.ranks().size())
                        .distinct()
                        .count()
                <= 1;
    }

    /** Whether the table lists nodes. */
    boolean namesNodes() {
        return format != RankTableFormat.LEVEL_LIST;
    }

    /** The nodes in node order; empty if the table does not list nodes. */
    @Override
    public List<Host> hosts() {
        return namesNodes() ? nodes.stream().map(TableNode::host).toList() : List.of();
    }

    /** The launchers of the nodes that have cards, for one of these nodes. Nodes without cards have no launcher. */
    Optional<LauncherNodes> launchers(TableNode own) {
        List<TableNode> started = withCards();
        return namesNodes() && started.size() > 1
                ? Optional.of(LauncherNodes.ofHosts(
                        started.indexOf(own),
                        started.stream().map(TableNode::ofLauncher).toList()))
                : Optional.empty();
    }

    /** A description of the table for messages. */
    String label() {
        String listed = namesNodes() ? Messages.count(nodes.size(), format.nodeWord) + ", " : "";
        return "rank table " + path() + " (" + format.title + ", " + listed + Messages.count(cards(), "card") + ")";
    }
}
