package dev.muster.runtime.process;

import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** A thread, made before it is needed, that looks after the warden and sees whom the processes of a run start. */
public final class Rounds {

    /** What lives for a shorter time with all its parents may not be seen. */
    private static final long PAUSE = Duration.ofMillis(200).toNanos();
    /** A look takes about a millisecond; where it takes longer, there is more time between two, that it costs the ranks nothing. */
    private static final long TIMES_A_LOOK = 20;

    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

    /** Between two wardens that are replaced at once. */
    private static final long CALM = Duration.ofSeconds(1).toNanos();

    private final Warden warden;
    private final ProcessTable table;
    private final LongSupplier nanoClock;
    private final Thread thread;
    private long calmFrom;

    private Rounds(Warden warden, ProcessTable table, LongSupplier nanoClock) {
        this.warden = warden;
        this.table = table;
        this.nanoClock = nanoClock;
        this.calmFrom = nanoClock.getAsLong();
        this.thread = Daemon.named("rounds").newThread(this::goOn);
    }

    /** Goes on until the warden is closed or dismissed. */
    public static Rounds begin(Warden warden, ProcessTable table, LongSupplier nanoClock) {
        Rounds rounds = new Rounds(warden, table, nanoClock);
        rounds.thread.start();
        return rounds;
    }

    /** Lets the thread see at once that the warden was dismissed, where it does not hear of its end. */
    public void end() {
        LockSupport.unpark(thread);
    }

    private void goOn() {
        while (warden.isOn()) {
            long begin = nanoClock.getAsLong();
            warden.lookAt(table);
            long pause = Math.max(PAUSE, TIMES_A_LOOK * (nanoClock.getAsLong() - begin));
            warden.check();
            // Only a plugin could have set it, and there would be no pauses any more.
            Thread.interrupted();
            pause(Math.min(pause, LONGEST_PAUSE));
        }
    }

    /**
     * No longer than the warden lives: a launcher that is killed before there is another one leaves its ranks behind. Whoever has just
     * killed one may go on: of several in a second only the first is replaced at once.
     */
    private void pause(long length) {
        long begin = nanoClock.getAsLong();
        if (begin - calmFrom < 0) {
            LockSupport.parkNanos(length);
        } else if (warden.dies(Duration.ofNanos(length))) {
            calmFrom = nanoClock.getAsLong() + CALM;
        } else {
            // Where there is none it has not waited.
            LockSupport.parkNanos(length - (nanoClock.getAsLong() - begin));
        }
    }
}
