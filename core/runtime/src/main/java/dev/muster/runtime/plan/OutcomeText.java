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
    public List<String> firstOf(Outcome.FirstOf firstOf) {
        List<String> lines = new ArrayList<>();
        lines.add("The first of these ends the job:");
        for (Outcome.Case one : firstOf.cases()) {
            lines.add("exit code " + one.exitCode() + " " + ProcessText.when(one.when()) + ": "
                    + Printable.escape(one.reason()));
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
}
