package dev.muster.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** A launcher that has been started on one of the {@link TestHosts}. */
final class OnHost {

    private final Launched entering;

    /** @param entering the process outside (nsenter) that waits for the launcher and ends with its exit code */
    OnHost(Launched entering) {
        this.entering = entering;
    }

    /** The pid of its start script, outside. */
    long script() {
        return Processes.inNamespaces(entering.pid());
    }

    OnHost signal(String name) {
        Processes.signal(name, script());
        return this;
    }

    /** Kills the launcher itself, below its start script. */
    OnHost killJvm() {
        return signalJvm("KILL");
    }

    /** Kills all processes of the container at once, as when the container is deleted. */
    OnHost killContainer() {
        Processes.signalTree("KILL", entering.pid());
        await();
        return this;
    }

    /** Suspends all processes of the container. */
    OnHost freezeContainer() {
        long script = script();
        Await.until("the container stands still", () -> {
            Processes.signalTree("STOP", script);
            // The process that waits outside suspends itself a moment after its child.
            return Processes.tree(entering.pid()).stream().allMatch(Processes::standsStill);
        });
        return this;
    }

    /** Resumes all processes, children first: the process outside would suspend itself again if its child were still suspended. */
    OnHost thawContainer() {
        List<Long> tree = new ArrayList<>(Processes.tree(entering.pid()));
        Collections.reverse(tree);
        tree.forEach(pid -> Processes.signalIfThere("CONT", pid));
        return this;
    }

    private OnHost signalJvm(String name) {
        Processes.signal(name, Processes.jvm(script()));
        return this;
    }

    /** The number of TCP connections of the launcher's JVM; 0 after its end. */
    long connections() {
        OptionalLong jvm = isRunning() ? Processes.findJvm(script()) : OptionalLong.empty();
        return jvm.isPresent() ? Processes.connections(jvm.getAsLong()) : 0;
    }

    /** The most memory that it has had resident, in KiB. */
    long peakMemoryKib() {
        return Processes.peakMemoryKib(Processes.jvm(script()));
    }

    boolean isRunning() {
        return entering.isRunning();
    }

    OnHost awaitMessage(String text) {
        entering.awaitMessage(text);
        return this;
    }

    OnHost awaitOutput(String text) {
        entering.awaitOutput(text);
        return this;
    }

    /** What it has printed on standard error so far. */
    String messages() {
        return entering.messages();
    }

    Result await() {
        return entering.await();
    }

    Result await(Duration limit) {
        return entering.await(limit);
    }
}
