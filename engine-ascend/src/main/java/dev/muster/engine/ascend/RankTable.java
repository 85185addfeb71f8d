package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the launcher needs of a rank table, whatever its format. Its ranks are 0..{@link #cards()}-1, each once. The plans of all
 * nodes ask one table, so nothing that is the same for all of them is made twice.
 */
final class RankTable {

    /** The most cards that a table may list. */
    static final int MOST_CARDS = 100_000;

    private final InputValue.Json source;
    private final RankTableFormat format;
    private final List<TableNode> nodes;
    private final Optional<Value> rewritten;
    private final List<Note> warnings;
    private final int cards;
    private final List<TableNode> withCards;
    private final boolean isEven;

    /** By name and by address: who plans all nodes asks for each. */
    private final Map<String, List<TableNode>> places = new HashMap<>();

    /** By name: where among those that have cards a node stands. */
    private final Map<String, Integer> indexes = new HashMap<>();

    private final Optional<LauncherNodes> launchers;

    /**
     * @param source the file as it was read
     * @param nodes in the order of their ranks; the level list does not tell nodes apart and has one with all ranks
     * @param rewritten what the ranks must read instead of the file, where that differs
     * @param warnings for the user
     */
    RankTable(
            InputValue.Json source,
            RankTableFormat format,
            List<TableNode> nodes,
            Optional<Value> rewritten,
            List<Note> warnings) {
        this.source = source;
        this.format = format;
        this.nodes = List.copyOf(nodes);
        this.rewritten = rewritten;
        this.warnings = List.copyOf(warnings);
        List<TableNode> having = new ArrayList<>(nodes.size());
        int sum = 0;
        boolean even = true;
        for (TableNode node : nodes) {
            int size = node.ranks().size();
            if (size > 0) {
                even &= having.isEmpty() || having.get(0).ranks().size() == size;
                having.add(node);
                sum += size;
            }
        }
        this.cards = sum;
        this.isEven = even;
        this.withCards = Collections.unmodifiableList(having);
        having.forEach(node -> indexes.putIfAbsent(node.name(), indexes.size()));
        nodes.forEach(this::index);
        this.launchers = namesNodes() && withCards.size() > 1
                ? Optional.of(LauncherNodes.ofHosts(
                        0, withCards.size(), index -> withCards.get(index).ofLauncher()))
                : Optional.empty();
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

    InputValue.Json source() {
        return source;
    }

    RankTableFormat format() {
        return format;
    }

    List<TableNode> nodes() {
        return nodes;
    }

    Optional<Value> rewritten() {
        return rewritten;
    }

    List<Note> warnings() {
        return warnings;
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
        return namesNodes() ? List.copyOf(nodes.stream().map(TableNode::host).toList()) : List.of();
    }

    /** The nodes that have cards. */
    List<TableNode> withCards() {
        return withCards;
    }

    /** Whether all nodes that have cards have the same number of them. */
    boolean isEven() {
        return isEven;
    }

    /** The nodes that have this name or address. */
    List<TableNode> at(String nameOrAddress) {
        return places.getOrDefault(nameOrAddress, List.of());
    }

    private void index(TableNode node) {
        Set<String> words = new HashSet<>(node.addresses());
        words.add(node.name());
        words.forEach(word ->
                places.computeIfAbsent(word, unknown -> new ArrayList<>(1)).add(node));
    }

    /** Where among those that have cards a node of this table stands. */
    int indexOf(TableNode own) {
        return indexes.getOrDefault(own.name(), -1);
    }

    /**
     * The launchers of the nodes that have cards: none is started on others. Empty for an only one, and where the table does not
     * tell nodes apart.
     */
    Optional<LauncherNodes> launchers(TableNode own) {
        return launchers.map(all -> all.seenFrom(LauncherNodes.ofNode(indexOf(own))));
    }

    /** The table in the user's words. */
    String label() {
        String listed = !namesNodes() ? "" : Messages.count(nodes.size(), format.nodeWord()) + ", ";
        return "rank table " + path() + " (" + format.title() + ", " + listed + Messages.count(cards(), "card") + ")";
    }

    /** How many cards, and so ranks, the whole job has. */
    int cards() {
        return cards;
    }
}
