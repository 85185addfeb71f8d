package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.threads.Daemon;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The time limit of a job ({@code --time-limit}), counted from the start of the leader, which then stops all nodes. A member stops its
 * own part {@code --lost-after} later, in case the leader's stop does not reach it.
 */
record TimeLimit(LaunchContext context, LaunchRequest request, JobLink link) {

    @Inject
    TimeLimit {}

    /** Starts the clock, if there is a limit. */
    void begin() {
        Settings settings = request.resolved().settings();
        Optional<Setting> limit = settings.find(OptionTable.TIME_LIMIT);
        if (limit.isPresent()) {
            Duration time = settings.duration(OptionTable.TIME_LIMIT);
            String words = "the time limit of " + Durations.format(time) + " ("
                    + Printable.escape(limit.get().origin()) + ")";
            long since = context.nanoClock().getAsLong();
            Daemon.start("time-limit", () -> await(since, time, words));
        }
    }

    private void await(long since, Duration time, String words) {
        sleep(since, time);
        if (link.isUsed() && !link.leads()) {
            sleep(since, time.plus(request.resolved().settings().duration(OptionTable.LOST_AFTER)));
        }
        context.signals().onTimeLimit(words);
    }

    private void sleep(long since, Duration time) {
        for (long left = time.toNanos();
                left > 0;
                left = time.toNanos() - (context.nanoClock().getAsLong() - since)) {
            LockSupport.parkNanos(left);
        }
    }
}
