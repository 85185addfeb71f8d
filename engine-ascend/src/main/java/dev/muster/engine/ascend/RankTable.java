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
 * What the launcher needs of a rank table, whatever its format. Its ranks are 0..{@link #cards()}-1, each once.
 *
 * @param source the file as it was read
 * @param nodes in the order of their ranks; the level list does not tell nodes apart and has one with all ranks
 * @param rewritten what the ranks must read instead of the file, where that differs
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

    /** Reads and checks a table. Its family is recognised by content, never by the name of a variable or file. */
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

    /** Those of the nodes that have cards. */
    List<TableNode> withCards() {
        return nodes.stream().filter(node -> !node.ranks().isEmpty()).toList();
    }

    /** How many cards, and so ranks, the whole job has. */
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

    /** Whether the table tells nodes apart. */
    boolean namesNodes() {
        return format != RankTableFormat.LEVEL_LIST;
    }

    /** The nodes in node order; none where the table does not tell them apart. */
    @Override
    public List<Host> hosts() {
        return namesNodes() ? nodes.stream().map(TableNode::host).toList() : List.of();
    }

    /** The launchers of the nodes that have cards, as one of them sees them: none is started on others. */
    Optional<LauncherNodes> launchers(TableNode own) {
        List<TableNode> started = withCards();
        return namesNodes() && started.size() > 1
                ? Optional.of(LauncherNodes.ofHosts(
                        started.indexOf(own),
                        started.stream().map(TableNode::ofLauncher).toList()))
                : Optional.empty();
    }

    /** The table in the user's words. */
    String label() {
        String listed = namesNodes() ? Messages.count(nodes.size(), format.nodeWord) + ", " : "";
        return "rank table " + path() + " (" + format.title + ", " + listed + Messages.count(cards(), "card") + ")";
    }
}
