package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.plan.PlanRanks;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the launcher tells the user before it starts anything. In later attempts it tells only what is new. */
final class Announcement {

    private final Console console;
    private final Invocation invocation;
    private final ResolvedJob resolved;
    private final Set<String> told = new HashSet<>();

    Announcement(Console console, Invocation invocation, ResolvedJob resolved) {
        this.console = console;
        this.invocation = invocation;
        this.resolved = resolved;
    }

    /**
     * Tells the user about the job and its plan.
     *
     * @param environment a line about the environment that the job runs in
     * @param linkNote what the user should know about the link
     * @param callersDirectory the directory that relative paths in the command start from
     */
    void print(NodePlan planned, Optional<String> environment, Optional<String> linkNote, Path callersDirectory) {
        Node node = resolved.node();
        String position = planned.plan().name().map(name -> ", " + name).orElse("");
        position += node.knowsItsIndex() && position.isEmpty()
                ? ", node " + node.index().getAsInt() + " of " + node.count().getAsInt()
                : "";
        printOnce("job " + resolved.jobId() + ": engine "
                + invocation.engine().descriptor().id() + ", platform "
                + resolved.platform().name() + " ("
                + resolved.platform().explanation() + ")" + position
                + resolved.startCounts().map(counts -> ", " + counts).orElse(""));
        environment.ifPresent(this::printOnce);
        linkNote.filter(told::add).ifPresent(console::warn);
        planned.plan().notes().forEach(this::printNote);
        hint(callersDirectory, planned.plan()).ifPresent(this::printOnce);
        ranksProblem(planned.plan()).filter(told::add).ifPresent(console::warn);
        foldProblem(planned.plan()).filter(told::add).ifPresent(console::warn);
    }

    private void printNote(Note note) {
        if (!note.isWarning()) {
            printOnce(note.text());
        } else if (told.add(note.text())) {
            console.warn(note.text());
        }
    }

    /** Why {@code --fold} has no effect; empty: it has one, or the user does not want it. */
    private Optional<String> foldProblem(LaunchPlan plan) {
        return resolved.settings()
                .given(OptionTable.FOLD)
                .filter(fold -> fold.value().equals("true"))
                .flatMap(fold -> why(plan).map(why -> fold.origin() + " has no effect: " + why));
    }

    private Optional<String> ranksProblem(LaunchPlan plan) {
        return resolved.settings().find(OptionTable.CONSOLE_RANKS).flatMap(chosen -> rankProblem(chosen, plan));
    }

    /** Why the console cannot show the ranks that the user chose. */
    private static Optional<String> rankProblem(Setting chosen, LaunchPlan plan) {
        String start = chosen.origin() + ": " + Printable.quote(chosen.value()) + " ";
        int size = PlanRanks.worldSize(plan);
        if (size == 0) {
            return why(plan).map(why -> start + "has no effect: " + why);
        }
        boolean isTooHigh = NumberList.ranks(chosen.value()).orElseThrow().length() > size;
        return isTooHigh
                ? Optional.of(start + "names ranks that the job does not have: it has " + size)
                : Optional.empty();
    }

    /** Why the console cannot tell ranks apart; empty: it can. */
    private static Optional<String> why(LaunchPlan plan) {
        if (PlanRanks.worldSize(plan) > 0) {
            return Optional.empty();
        }
        List<HostedRanks> hosted = plan.processes().stream()
                .flatMap(process -> process.hosted().stream())
                .toList();
        if (hosted.isEmpty()) {
            return Optional.of("no process of this node has a rank")
                    .filter(any -> !plan.processes().isEmpty());
        }
        return Optional.of("the ranks print through one process")
                .filter(any ->
                        hosted.stream().allMatch(ranks -> ranks.printing().isEmpty()));
    }

    /**
     * A hint for a usual mistake: the path exists where the user started the launcher, but not where the ranks run.
     *
     * @param callersDirectory the directory that relative paths in the command start from
     */
    private Optional<String> hint(Path callersDirectory, LaunchPlan plan) {
        if (plan.processes().isEmpty()) {
            return Optional.empty();
        }
        Path work = Path.of(plan.processes().get(0).launch().workDirectory());
        return invocation.job().stream()
                .filter(argument ->
                        Executables.namesFile(argument, callersDirectory) && !Files.exists(work.resolve(argument)))
                .findFirst()
                .map(argument -> "hint: " + Printable.quote(argument) + " exists in " + callersDirectory
                        + ", but the command runs in " + work + "; give an absolute path, or --workdir");
    }

    /** Prints a line, unless an earlier attempt has printed it. */
    private void printOnce(String line) {
        if (told.add(line)) {
            console.say(line);
        }
    }
}
