package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Outcome;
import java.util.ArrayList;
import java.util.List;

/** What decides how a node's job ended, in words: a line, and what belongs under it. */
final class OutcomeText implements Outcome.Cases<List<String>> {

    @Override
    public List<String> allTasks(Outcome.AllTasks all) {
        return List.of("The job succeeds when all tasks have ended with 0.");
    }

    @Override
    public List<String> decidedBy(Outcome.DecidedBy decided) {
        return List.of("The job ends with " + Printable.escape(decided.taskId()) + ", and with its exit code.");
    }

    @Override
    public List<String> firstOf(Outcome.FirstOf firstOf) {
        List<String> lines = new ArrayList<>();
        lines.add("The first of these ends the job:");
        for (Outcome.Case one : firstOf.cases()) {
            lines.add(code(one) + " " + ProcessText.when(one.when()) + ": " + Printable.escape(one.reason())
                    + (one.missing().isPresent() ? " (and what is missing, each with its reason)" : ""));
        }
        return lines;
    }

    @Override
    public List<String> followsLeader(Outcome.FollowsLeader follows) {
        String code = follows.exitCode().isPresent()
                ? ", with exit code " + follows.exitCode().getAsInt()
                : ", with the job's exit code";
        return List.of("This node serves the others: it ends when the launcher that leads says that the job ended"
                + code + ".");
    }

    private static String code(Outcome.Case one) {
        return "exit code "
                + one.codeFile()
                        .map(name -> "from private file " + Printable.escape(name) + " (or " + one.exitCode() + ")")
                        .orElse(Integer.toString(one.exitCode()));
    }
}
