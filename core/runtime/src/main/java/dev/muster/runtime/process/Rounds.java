package dev.muster.runtime.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A thread, made before it is needed, that looks after the warden and sees whom the processes of a run start. */
public final class Rounds {

    /** What lives for a shorter time with all its parents may not be seen. Each look costs less than a millisecond. */
    private static final long PAUSE = Duration.ofMillis(200).toNanos();

    private final Warden warden;
    private final ProcessTable table;

    private Rounds(Warden warden, ProcessTable table) {
        this.warden = warden;
        this.table = table;
    }

    /** Goes on until the warden is closed or dismissed. */
    public static void begin(Warden warden, ProcessTable table) {
        Thread thread = new Thread(new Rounds(warden, table)::goOn, "rounds");
        thread.setDaemon(true);
        thread.start();
    }

    private void goOn() {
        while (warden.isOn()) {
            table.look();
            Descendants.News news = table.news();
            warden.know(news.born());
            warden.forget(news.ended());
            warden.check();
            LockSupport.parkNanos(PAUSE);
        }
    }
}
