package dev.muster.runtime.supervise;

import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.PipeHolders;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells of output that somebody still holds open when everything of the job has ended. */
final class HeldOutput {

    private HeldOutput() {}

    /**
     * Who has a pipe of the job may have been given it by anybody; that is no reason to end it.
     *
     * @param ids of processes whose output is held
     */
    static String warning(OutputHub hub, List<String> ids) {
        Set<String> pipes = ids.stream().flatMap(id -> hub.pipe(id).stream()).collect(Collectors.toSet());
        String holders = PipeHolders.of(pipes).stream().map(HeldOutput::words).collect(Collectors.joining(", "));
        return "the output of " + String.join(", ", ids) + " is still held open by "
                + (holders.isEmpty()
                        ? "a process that could not be found"
                        : holders + ", of which nothing shows that the job has started it; not stopping it")
                + "; what it prints from now on is lost";
    }

    private static String words(LiveProcess process) {
        return "process " + process.pid() + " (" + process.name() + ")";
    }
}
