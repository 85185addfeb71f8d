package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import java.util.Optional;

/** What the user reads before anything is started. */
record Announcement(Console console, Invocation invocation, Site site) {

    /**
     * Says it.
     *
     * @param environment a line about the environment that the job runs in
     * @param linkNote what the user should know about the link
     */
    void make(NodePlan planned, Optional<String> environment, Optional<String> linkNote) {
        Node node = site.node();
        String position = planned.plan().name().map(name -> ", " + name).orElse("");
        position += node.knowsItsIndex() && position.isEmpty()
                ? ", node " + node.index().getAsInt() + " of " + node.count().getAsInt()
                : "";
        console.say("job " + site.jobId() + ": engine "
                + invocation.engine().descriptor().id() + ", platform "
                + site.platform().name() + " ("
                + site.platform().explanation() + ")" + position
                + site.startCounts().map(counts -> ", " + counts).orElse(""));
        environment.ifPresent(console::say);
        linkNote.ifPresent(console::say);
        for (Note note : planned.plan().notes()) {
            if (note.level() == Note.Level.WARNING) {
                console.warn(note.text());
            } else {
                console.say(note.text());
            }
        }
    }
}
