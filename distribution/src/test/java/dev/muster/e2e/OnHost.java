package dev.muster.e2e;

import java.time.Duration;

/** A launcher that has been started on one of the {@link TestHosts}. */
final class OnHost {

    private final Launched entering;

    /** @param entering who waits outside for the launcher, and ends as it ends */
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

    /** Lets the launcher itself, below its start script, stand still for good. */
    OnHost freezeJvm() {
        return signalJvm("STOP");
    }

    /** As when its container is gone, and nobody can say anything any more. */
    OnHost killContainer() {
        signalContainer("KILL");
        await();
        return this;
    }

    /** Signals the launcher and everything below it. */
    OnHost signalContainer(String name) {
        Processes.signalTree(name, entering.pid());
        return this;
    }

    private OnHost signalJvm(String name) {
        Processes.signal(name, Processes.jvm(script()));
        return this;
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
