package dev.muster.runtime.watch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.questions.JobQuestions;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Detects a job that hangs ({@code --hang-timeout}). It runs on the leader, and reports where the ranks stand. */
public final class HangWatch {

    private static final int LOOKS = 5;
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toMillis(15);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration FOR_STACKS = Duration.ofSeconds(30);

    private final Duration timeout;
    private final String onHang;
    private final JobQuestions questions;
    private final Link link;
    private final Consumer<String> say;
    private final LongSupplier nanoClock;
    private final HangDetector detector;
    private volatile Map<String, @Nullable Object> found = Map.of();

    /** @param say gets lines for the user */
    public HangWatch(
            Settings settings, JobQuestions questions, Link link, Consumer<String> say, LongSupplier nanoClock) {
        timeout = settings.duration(OptionTable.HANG_TIMEOUT);
        onHang = settings.text(OptionTable.ON_HANG).orElseThrow();
        this.questions = questions;
        this.link = link;
        this.say = say;
        this.nanoClock = nanoClock;
        detector = new HangDetector(timeout);
    }

    /** Starts the watch, in a thread of its own. */
    public void start() {
        Daemon.start("hangs", this::watch);
    }

    /** The last roll call of a job that hung, for {@code result.json}; empty: it did not hang. */
    public Map<String, @Nullable Object> found() {
        return found;
    }

    private void watch() {
        long pause = Math.min(LONGEST_PAUSE, Math.max(1, timeout.toMillis() / LOOKS));
        try {
            while (true) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
                if (!link.isUsed() || link.leads()) {
                    look();
                }
            }
        } catch (InterruptedException launcherEnds) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        List<NodeAnswer> answers = NodeAnswer.of(questions.askJob(TopHandler.KIND, Map.of(), PATIENCE));
        HangDetector.Finding finding = detector.looked(answers, nanoClock.getAsLong());
        if (finding == HangDetector.Finding.ALIVE) {
            return;
        }
        // No rank gets a signal before it is certain that the job hangs.
        Map<String, Object> question = finding == HangDetector.Finding.HANGS ? Map.of() : Map.of("signal", "");
        RollCall call = RollCall.of(NodeAnswer.of(questions.askJob(StacksHandler.KIND, question, FOR_STACKS)));
        if (finding == HangDetector.Finding.HANGS) {
            tell(call, "no rank has printed or used the CPU for " + Durations.format(timeout));
        } else if (detector.seen(call.fingerprint(), nanoClock.getAsLong()) == HangDetector.Finding.HANGS) {
            Duration busy = timeout.multipliedBy(HangDetector.FOR_BUSY);
            tell(
                    call,
                    "no rank has printed for " + Durations.format(busy) + ", and those that use the CPU stand still");
        }
    }

    private void tell(RollCall call, String why) {
        String reason = "the job hangs: " + why + ": " + call.sentence();
        say.accept(reason);
        call.lines().stream().skip(1).forEach(say);
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("why", why);
        document.put("onHang", onHang);
        document.putAll(call.document());
        found = document;
        if (!onHang.equals("report")) {
            questions.reportHang(reason, onHang.equals("restart"));
        }
    }
}
