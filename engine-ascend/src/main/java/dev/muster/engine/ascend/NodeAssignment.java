package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The part of the job that this node starts.
 *
 * @param ranks the ranks of this node, in order of start; each is one process
 * @param cards the number that each rank uses for its card
 * @param worldSize the number of ranks of the whole job
 * @param table the rank table, if this launcher must write it
 * @param environment the variables that all ranks of this node share
 * @param place the place of this node among the nodes of the job
 * @param notes for the user
 */
record NodeAssignment(
        List<Integer> ranks,
        List<Integer> cards,
        int worldSize,
        Optional<GeneratedFile> table,
        EnvironmentChange environment,
        ServerPlace place,
        List<Note> notes) {

    private static final List<String> TABLE_VARIABLES = List.of(Ranks.TABLE_VARIABLE, Ranks.MINDSPORE_TABLE_VARIABLE);

    NodeAssignment {
        ranks = List.copyOf(ranks);
        cards = List.copyOf(cards);
        notes = List.copyOf(notes);
    }

    /** The ranks that a table lists for this node. */
    static NodeAssignment of(PlanRequest request, RankTable table, TableNode own) throws PlanException {
        TableForRanks handed = TableForRanks.of(table, request.job().places());
        VisibleCards visible = visible(request, table, own);
        Map<String, Value> set = new TreeMap<>(visible.environment());
        set.put(Ranks.TABLE_VARIABLE, handed.path());
        // MindSpore reads its own variable first, so an existing variable must not name another table.
        boolean isThere = request.job().variable(Ranks.MINDSPORE_TABLE_VARIABLE).isPresent();
        if (isThere || table.format() == RankTableFormat.LAB) {
            set.put(Ranks.MINDSPORE_TABLE_VARIABLE, handed.path());
        }
        List<Note> notes = notes(request, table, own);
        notes.addAll(handed.notes());
        return new NodeAssignment(
                own.ranks(),
                visible.numbers(),
                table.cards(),
                handed.toWrite(),
                EnvironmentChange.of(set, List.of()),
                ServerPlace.of(table, own, request.node()),
                notes);
    }

    private static List<Note> notes(PlanRequest request, RankTable table, TableNode own) throws PlanException {
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info(
                table.label() + ": this node is " + own.label() + " with ranks " + Messages.ranges(own.ranks())));
        new CardAgreement(request, table, own.label())
                .number(own.ranks().size())
                .ifPresent(notes::add);
        notes.addAll(table.warnings());
        serversWithoutNode(request.node(), table).ifPresent(notes::add);
        int others = table.hosts().size() - 1;
        if (others > 0 && own.ranks().size() == table.cards()) {
            notes.add(Note.warning("all ranks are on this node: the table lists no cards of "
                    + (others == 1 ? "the other one" : "the other " + others) + ". Start nothing there"));
        }
        return notes;
    }

    /** Some of a job's nodes may have no cards, but each server of the table needs a node. */
    private static Optional<Note> serversWithoutNode(Node node, RankTable table) {
        long servers = table.nodes().stream()
                .filter(server -> !server.ranks().isEmpty())
                .count();
        int nodes = node.count().orElse(1);
        return nodes == 1 || nodes >= servers
                ? Optional.empty()
                : Optional.of(Note.warning("the rank table has cards on " + servers + " servers, but the job has "
                        + nodes + " nodes: ranks wait for all servers. Give the table of this job, or --nodes "
                        + servers));
    }

    private static VisibleCards visible(PlanRequest request, RankTable table, TableNode own) throws PlanException {
        // A level list does not name servers, so its cards may belong to several.
        boolean areKnown = !own.cards().isEmpty()
                && Set.copyOf(own.cards()).size() == own.cards().size();
        if (!areKnown || !VisibleCards.areOfServer(request.job().platform())) {
            return new VisibleCards(
                    Map.of(), IntStream.range(0, own.ranks().size()).boxed().toList());
        }
        new CardAgreement(request, table, own.label()).cards(own.cards());
        return VisibleCards.of(request, own.cards());
    }

    /**
     * One process that is the whole job and gets no table.
     *
     * @param set variables that it needs in addition to those of every rank
     * @param why the reason, for the user
     * @param node this node
     */
    static NodeAssignment alone(Map<String, Value> set, String why, Node node) {
        int nodes = node.count().orElse(1);
        Note note = Note.warning(why + ": starting one process without RANK_TABLE_FILE, with RANK_ID=0 and RANK_SIZE=1"
                + (nodes > 1 ? ", as each of " + nodes + " nodes does by itself" : ""));
        return new NodeAssignment(
                List.of(0),
                List.of(0),
                1,
                Optional.empty(),
                EnvironmentChange.of(set, TABLE_VARIABLES),
                ServerPlace.only(node),
                List.of(note));
    }

    /** The same ranks without a table. */
    NodeAssignment withoutTable() {
        Map<String, Value> set = new TreeMap<>(environment.set());
        set.keySet().removeAll(TABLE_VARIABLES);
        return new NodeAssignment(
                ranks, cards, worldSize, Optional.empty(), EnvironmentChange.of(set, TABLE_VARIABLES), place, notes);
    }
}
