package dev.muster.engine.ascend;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the cards that the user or the platform chooses with the rank table. The table decides.
 *
 * @param label the table's name for this node
 */
record CardAgreement(PlanRequest request, RankTable table, String label) {

    /**
     * Compares the numbers of cards.
     *
     * @return empty if they agree
     * @throws PlanException if the user wants another number, or if a rank would have no card of its own
     */
    Optional<Note> number(int listed) throws PlanException {
        CardChoice choice = request.node().cards();
        int chosen = choice.ids().isEmpty()
                ? choice.count().orElse(listed)
                : choice.ids().size();
        String lists = "rank table " + table.path() + " lists " + listed + " for " + label;
        if (choice.isGiven() && chosen != listed) {
            throw refusal(choice.origin() + " asks for " + Messages.count(chosen, "card") + ", but " + lists);
        }
        if (!choice.usable().isEmpty() && listed > choice.usable().size()) {
            throw refusal(
                    lists + ", but " + source() + " allows " + choice.usable().size());
        }
        return chosen == listed
                ? Optional.empty()
                : Optional.of(Note.warning(choice.origin() + " speaks of " + Messages.count(chosen, "card") + ", but "
                        + lists + ": these are used"));
    }

    /** Compares the ids of cards, if both sides use the server's numbers. */
    void cards(List<Integer> listed) throws PlanException {
        CardChoice choice = request.node().cards();
        String lists = "rank table " + table.path() + " lists cards " + Messages.ranges(listed) + " for " + label;
        if (!choice.ids().isEmpty() && !Set.copyOf(choice.ids()).equals(Set.copyOf(listed))) {
            throw refusal(choice.origin() + " asks for cards " + Messages.ranges(choice.ids()) + ", but " + lists);
        }
        List<Integer> usable = VisibleCards.usable(request);
        boolean areThere = usable.isEmpty()
                || usable.containsAll(listed)
                || (!isVariable() && listed.stream().allMatch(card -> card < usable.size()));
        if (!areThere) {
            throw refusal(lists + ", but " + source() + " allows " + Messages.ranges(usable));
        }
    }

    private boolean isVariable() {
        return request.job().variable(VisibleCards.VARIABLE).isPresent();
    }

    private String source() {
        return isVariable() ? VisibleCards.VARIABLE : "/dev/davinci*";
    }

    private PlanException refusal(String problem) {
        return PlanException.configuration(problem + ". The table decides: correct it, or what contradicts it");
    }
}
