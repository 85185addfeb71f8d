package dev.muster.runtime.link;

import dev.muster.runtime.threads.Daemon;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes links. */
public final class Links {

    private Links() {}

    /**
     * Begins to make the link of a job and returns at once. Its thread is a daemon.
     *
     * @param nanoClock this launcher's {@link System#nanoTime()}; any thread may ask it
     * @param say gets lines for the user, on the link's thread
     * @param warn gets lines of which something may be wrong
     */
    public static Link open(
            LinkSettings settings, LongSupplier nanoClock, Consumer<String> say, Consumer<String> warn) {
        return open(settings, settings.launchers().leads() ? Leader::new : Member::new, nanoClock, say, warn);
    }

    static Link open(
            LinkSettings settings,
            LinkLoop.PartyMaker parties,
            LongSupplier nanoClock,
            Consumer<String> say,
            Consumer<String> warn) {
        Mailbox mailbox = new Mailbox(settings.launchers());
        Daemon.start("link", new LinkLoop(settings, parties, mailbox, nanoClock, say, warn));
        return mailbox;
    }
}
