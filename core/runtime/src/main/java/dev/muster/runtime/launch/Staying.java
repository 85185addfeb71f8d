package dev.muster.runtime.launch;

import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Lets a launcher stay for a while after the job has failed elsewhere, where its platform wants pods to fail one by one. */
record Staying(Console console, Signals signals) {

    /** Returns after so long, or when a signal asks the launcher to stop. */
    void last(Duration time) {
        console.say("staying for " + Durations.format(time)
                + ", since the platform starts no job again all of whose containers fail at once; SIGTERM ends it");
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        signals.listen(signal -> {
            if (signal.asksToStop()) {
                signals.taken(signal.number());
                told.complete(true);
            }
        });
        told.completeOnTimeout(false, time.toNanos(), TimeUnit.NANOSECONDS).join();
    }
}
