package dev.muster.runtime.link;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** Compares what the launchers of a job plan with what their leader does. */
final class Comparison {

    /** Warnings of other commands; more tell nothing new. */
    private static final int WARNINGS = 3;

    private final Table table;
    private final Endings endings;
    private final Gathering gathering;
    private final Lines lines;
    private final UnaryOperator<String> digest;
    private Optional<Said.Planned> ours = Optional.empty();
    private int otherCommands;

    Comparison(Table table, Endings endings, Gathering gathering, Lines lines, UnaryOperator<String> digest) {
        this.table = table;
        this.endings = endings;
        this.gathering = gathering;
        this.lines = lines;
        this.digest = digest;
    }

    /** The leader itself has a plan. */
    void ours(Said.Planned plan, long now) {
        ours = Optional.of(plan);
        table.all().forEach(seat -> theirs(seat, now));
    }

    /** Compares all plans that there are, once none of them is made anew any more. */
    void all(long now) {
        table.all().forEach(seat -> compare(seat, now));
    }

    /** Another launcher may have a plan. */
    void theirs(Seat seat, long now) {
        if (gathering.isOver()) {
            compare(seat, now);
        }
    }

    private void compare(Seat seat, long now) {
        if (ours.isPresent() && seat.plan().isPresent() && seat != table.own()) {
            compare(ours.get(), seat, seat.plan().get(), now);
        }
    }

    private void compare(Said.Planned our, Seat seat, Told.Plan their, long now) {
        String where = table.own().where();
        Optional<String> difference = Differences.between(our.equal(), where, their.equal());
        if (difference.isPresent()) {
            endings.refuse(Ends.unfit(seat.name(), seat.host(), difference.get()), now);
        } else if (!digest.apply(our.command()).equals(their.digest())) {
            otherCommands++;
            table.tell(seat, new Order.OtherCommand(our.command()));
        }
    }

    /** What another launcher runs, which was asked because it differs. */
    void command(Seat seat, String command) {
        if (ours.isPresent() && otherCommands <= WARNINGS) {
            lines.warn(otherCommand(seat.where(), command, ours.get().command()));
        }
    }

    static String otherCommand(String where, String there, String here) {
        return where + " runs another command: " + there + "; this node: " + here;
    }
}
