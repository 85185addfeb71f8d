package dev.muster.runtime.watch;

import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.questions.RunningAttempt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells what each rank of this node does: whether it runs, what it uses, what it printed last. */
public final class TopHandler implements QuestionHandler {

    static final String KIND = "top";

    /** Over how long CPU time is measured, and after how long a measurement is too old. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);
    private static final long NANOS_OF_TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double PERCENT = 100.0;
    private static final int LONGEST_LINE = 400;

    private final Path proc;
    private final IntSupplier restarts;
    private final LongSupplier nanoClock;
    private Optional<ProcessSnapshot> before = Optional.empty();

    /** @param proc where {@code /proc} is */
    public TopHandler(Path proc, IntSupplier restarts, LongSupplier nanoClock) {
        this.proc = proc;
        this.restarts = restarts;
        this.nanoClock = nanoClock;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("state", attempt.isEmpty() ? "starting" : attempt.get().isOpen() ? "running" : "stopping");
        answer.put("restarts", restarts.getAsInt());
        if (!question.mayQuote()) {
            answer.put("note", Question.NO_QUOTES);
        }
        answer.put("ranks", attempt.isEmpty() ? List.of() : ranks(attempt.get(), question.mayQuote()));
        return answer;
    }

    private synchronized List<Object> ranks(RunningAttempt attempt, boolean mayQuote) throws InterruptedException {
        ProcessSnapshot old = before.filter(one -> isOfUse(one.nanoTime())).orElseGet(this::measured);
        ProcessSnapshot now = ProcessSnapshot.take(proc, nanoClock.getAsLong());
        before = Optional.of(now);
        List<Object> ranks = new ArrayList<>();
        for (RankProcess rank : RankProcess.of(attempt, now)) {
            ranks.add(entry(rank, attempt, new Usage(old, now), mayQuote));
        }
        return ranks;
    }

    private boolean isOfUse(long then) {
        long age = nanoClock.getAsLong() - then;
        return age >= SHORTEST && age <= LONGEST;
    }

    private ProcessSnapshot measured() {
        ProcessSnapshot first = ProcessSnapshot.take(proc, nanoClock.getAsLong());
        LockSupport.parkNanos(SHORTEST);
        return first;
    }

    private Map<String, @Nullable Object> entry(
            RankProcess rank, RunningAttempt attempt, Usage usage, boolean mayQuote) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", rank.id());
        entry.put("rank", orNull(rank.rank()));
        entry.put("pid", orNull(rank.pid()));
        entry.put("state", usage.state(rank));
        entry.put("cpu", usage.cpu(rank));
        entry.put("memory", usage.memory(rank));
        entry.put("processes", usage.processes(rank));
        OptionalLong printedAt = attempt.printedAt(rank.id());
        entry.put(
                "silentSeconds",
                printedAt.isEmpty()
                        ? null
                        : TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - printedAt.getAsLong()));
        entry.put("lastLine", mayQuote && printedAt.isPresent() ? lastLine(attempt.lastOutput(rank.id())) : null);
        return entry;
    }

    private static @Nullable Object orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    private static @Nullable Object orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    private static String lastLine(String output) {
        String text = output.stripTrailing();
        String line = text.substring(text.lastIndexOf('\n') + 1);
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE);
    }

    /** What a rank and its descendants use. */
    private record Usage(ProcessSnapshot old, ProcessSnapshot now) {

        String state(RankProcess rank) {
            if (!rank.isRunning()) {
                return rank.state();
            }
            char letter =
                    now.find(rank.pid().getAsLong()).map(KernelProcess::state).orElse('R');
            return switch (letter) {
                case 'T', 't' -> "stopped";
                case 'Z', 'X' -> "zombie";
                case 'D' -> "disk wait";
                default -> rank.state();
            };
        }

        @Nullable Object cpu(RankProcess rank) {
            if (!rank.isRunning()) {
                return null;
            }
            long used = now.tree(rank.pid().getAsLong()).stream()
                    .mapToLong(this::ticks)
                    .sum();
            return Math.round(PERCENT * used * NANOS_OF_TICK / Math.max(1, now.nanoTime() - old.nanoTime()));
        }

        /** One that has been started meanwhile had none before. */
        private long ticks(KernelProcess process) {
            long earlier = old.find(process.pid())
                    .filter(same -> same.start() == process.start())
                    .map(KernelProcess::ticks)
                    .orElse(0L);
            return process.ticks() - earlier;
        }

        @Nullable Object memory(RankProcess rank) {
            return rank.isRunning() ? now.memory(rank.pid().getAsLong()) : null;
        }

        @Nullable Object processes(RankProcess rank) {
            return rank.isRunning() ? now.tree(rank.pid().getAsLong()).size() : null;
        }
    }
}
