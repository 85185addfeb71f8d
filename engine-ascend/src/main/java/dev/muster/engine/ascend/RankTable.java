package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.Launchers;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the launcher needs of a rank table, whatever its family. Its ranks are 0..{@link #cards()}-1, each once.
 *
 * @param source the file as it was read
 * @param nodes in the order of their ranks; the level list does not tell nodes apart and has one with all ranks
 * @param rewritten what the ranks must read instead of the file, where that differs
 * @param warnings for the user
 */
record RankTable(
        InputValue.Json source, Family family, List<TableNode> nodes, Optional<String> rewritten, List<Note> warnings) {

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

    /** The nodes in node order; none where the table does not tell them apart. */
    List<Host> hosts() {
        List<Host> hosts = new ArrayList<>();
        if (family != Family.LEVEL_LIST) {
            for (TableNode node : nodes) {
                hosts.add(node.host());
            }
        }
        return hosts;
    }

    /**
     * The launchers of the nodes that have cards: none is started on others. Empty for an only one, and where the table does not
     * tell nodes apart.
     */
    Optional<Launchers> launchers(TableNode own) {
        List<TableNode> withCards =
                nodes.stream().filter(node -> !node.ranks().isEmpty()).toList();
        return family == Family.LEVEL_LIST || withCards.size() < 2
                ? Optional.empty()
                : Optional.of(Launchers.ofHosts(
                        withCards.indexOf(own),
                        withCards.stream().map(TableNode::ofLauncher).toList()));
    }

    /** The table in the user's words. */
    String label() {
        String listed = family == Family.LEVEL_LIST ? "" : Messages.count(nodes.size(), family.nodeWord()) + ", ";
        return "rank table " + path() + " (" + family.title() + ", " + listed + Messages.count(cards(), "card") + ")";
    }

    /** How many cards, and so ranks, the whole job has. */
    int cards() {
        int cards = 0;
        for (TableNode node : nodes) {
            cards += node.ranks().size();
        }
        return cards;
    }
}
