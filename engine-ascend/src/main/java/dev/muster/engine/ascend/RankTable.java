package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the launcher needs of a rank table, whatever its format. Its ranks are 0..{@link #cards()}-1, each once.
 *
 * @param source the file as it was read
 * @param nodes in the order of their ranks; the level list does not tell nodes apart and has one with all ranks
 * @param withCards those of the nodes that have cards
 * @param cards how many cards, and so ranks, the whole job has
 * @param isEven whether all nodes that have cards have the same number of them
 * @param launchers where the launchers of these are; none for an only one, and where the table does not tell nodes apart
 * @param rewritten what the ranks must read instead of the file, where that differs
 * @param warnings for the user
 */
record RankTable(
        InputValue.Json source,
        RankTableFormat format,
        List<TableNode> nodes,
        List<TableNode> withCards,
        int cards,
        boolean isEven,
        List<Host> launchers,
        Optional<Value> rewritten,
        List<Note> warnings) {

    /** The most cards that a table may list. */
    static final int MOST_CARDS = 100_000;

    static RankTable of(
            InputValue.Json source,
            RankTableFormat format,
            List<TableNode> nodes,
            Optional<Value> rewritten,
            List<Note> warnings) {
        List<TableNode> withCards =
                nodes.stream().filter(node -> !node.ranks().isEmpty()).toList();
        boolean isLinked = format != RankTableFormat.LEVEL_LIST && withCards.size() > 1;
        List<Host> launchers =
                isLinked ? withCards.stream().map(TableNode::ofLauncher).toList() : List.of();
        List<Integer> counts =
                withCards.stream().map(node -> node.ranks().size()).toList();
        return new RankTable(
                source,
                format,
                List.copyOf(nodes),
                withCards,
                counts.stream().mapToInt(count -> count).sum(),
                Set.copyOf(counts).size() <= 1,
                launchers,
                rewritten,
                List.copyOf(warnings));
    }

    /** Reads and checks a table. Its family is recognised by content, never by the name of a variable or file. */
    static RankTable read(InputValue.Json source) throws PlanException {
        JsonView table = JsonView.of(source);
        if (table.has("rank_list")) {
            return LevelList.read(source, table);
        }
        if (table.has("server_list")) {
            return TemplateOne.read(source, table);
        }
        if (table.has("group_list")) {
            return LabTable.fits(table) ? LabTable.read(source, table) : TemplateTwo.read(source, table);
        }
        throw table.refusal(
                "this is no rank table: its keys are " + Messages.list(table.keys()),
                "Give a table of template 1 or 1.2 (server_list), template 2 or lab (group_list), or 2.0 (rank_list)");
    }

    String path() {
        return source.path();
    }

    /** The content of the file. */
    String text() {
        return JsonText.of(source.content());
    }

    /** Whether the table tells nodes apart. */
    boolean namesNodes() {
        return format != RankTableFormat.LEVEL_LIST;
    }

    /** The nodes in node order; none where the table does not tell them apart. */
    List<Host> hosts() {
        return namesNodes() ? nodes.stream().map(TableNode::host).toList() : List.of();
    }

    /** The nodes that have this name or address. */
    List<TableNode> at(String nameOrAddress) {
        return nodes.stream().filter(node -> node.isAt(nameOrAddress)).toList();
    }

    /** The launchers of the nodes that have cards, as one of them sees them: none is started on others. */
    Optional<LauncherNodes> launchers(TableNode own) {
        return launchers.isEmpty()
                ? Optional.empty()
                : Optional.of(LauncherNodes.ofHosts(withCards.indexOf(own), launchers));
    }

    /** The table in the user's words. */
    String label() {
        String listed = !namesNodes() ? "" : Messages.count(nodes.size(), format.nodeWord()) + ", ";
        return "rank table " + path() + " (" + format.title() + ", " + listed + Messages.count(cards(), "card") + ")";
    }
}
