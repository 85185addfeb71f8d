package dev.muster.runtime.watch;

import dev.muster.runtime.diagnostics.LastWords;
import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.questions.RunningAttempt;
import dev.muster.runtime.questions.RunningAttempt.NodeProcess;
import dev.muster.runtime.watch.ProcessSnapshot.KernelProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers what each rank of this node does: its state, its CPU and memory, its last line. */
public record TopHandler(IntSupplier restarts, LongSupplier nanoClock) implements QuestionHandler {

    public static final String KIND = "top";

    /** The key for the activity of running ranks: numbers that grow only while a rank makes progress. */
    static final String ACTIVITY = "activity";

    /** The interval over which CPU time is measured. */
    private static final long MEASURED = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long NANOS_OF_TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double PERCENT = 100.0;

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("state", attempt.isEmpty() ? "starting" : attempt.get().isOpen() ? "running" : "stopping");
        answer.put("restarts", restarts.getAsInt());
        if (!question.mayQuote()) {
            answer.put("note", Question.NO_QUOTES);
        }
        if (attempt.isPresent()) {
            look(attempt.get(), question.mayQuote(), answer);
        }
        return answer;
    }

    private void look(RunningAttempt attempt, boolean mayQuote, Map<String, @Nullable Object> answer)
            throws InterruptedException {
        ProcessSnapshot old = ProcessSnapshot.take(nanoClock.getAsLong());
        LockSupport.parkNanos(MEASURED);
        ProcessSnapshot now = ProcessSnapshot.take(nanoClock.getAsLong());
        List<Object> ranks = new ArrayList<>();
        List<Object> activity = new ArrayList<>();
        for (NodeProcess rank : new RankFinder(now).find(attempt)) {
            List<KernelProcess> tree = rank.isRunning() ? now.tree(rank.pid().getAsLong()) : List.of();
            OptionalLong printedAt = attempt.printedAt(rank.id());
            @Nullable Long silent = printedAt.isEmpty() ? null : nanoClock.getAsLong() - printedAt.getAsLong();
            Map<String, @Nullable Object> entry = entry(rank, tree, old, now);
            entry.put("silentSeconds", silent == null ? null : TimeUnit.NANOSECONDS.toSeconds(silent));
            entry.put("lastLine", mayQuote && silent != null ? lastLine(attempt.lastOutput(rank.id())) : null);
            ranks.add(entry);
            if (rank.isRunning()) {
                activity.add(activity(rank, tree, silent));
            }
        }
        answer.put("ranks", ranks);
        answer.put(ACTIVITY, activity);
    }

    /** @param tree the rank and its descendants */
    private static Map<String, @Nullable Object> entry(
            NodeProcess rank, List<KernelProcess> tree, ProcessSnapshot old, ProcessSnapshot now) {
        long used = tree.stream().mapToLong(process -> ticks(process, old)).sum();
        long cpu = Math.round(PERCENT * used * NANOS_OF_TICK / Math.max(1, now.nanoTime() - old.nanoTime()));
        Map<String, @Nullable Object> entry = rank.entry();
        entry.put("state", state(rank, tree));
        entry.put("cpu", rank.isRunning() ? cpu : null);
        entry.put("memory", rank.isRunning() ? ProcessSnapshot.memory(tree) : null);
        entry.put("processes", rank.isRunning() ? tree.size() : null);
        return entry;
    }

    /** The CPU ticks since the older snapshot. A new process had none then. */
    private static long ticks(KernelProcess process, ProcessSnapshot old) {
        long earlier = old.find(process.pid())
                .filter(same -> same.start() == process.start())
                .map(KernelProcess::ticks)
                .orElse(0L);
        return process.ticks() - earlier;
    }

    private static String state(NodeProcess rank, List<KernelProcess> tree) {
        return switch (tree.isEmpty() ? 'R' : tree.get(0).state()) {
            case 'T', 't' -> "stopped";
            case 'Z', 'X' -> "zombie";
            case 'D' -> "disk wait";
            default -> rank.state();
        };
    }

    private static String lastLine(String output) {
        List<String> lines = LastWords.plain(output, text -> text);
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    private static Map<String, @Nullable Object> activity(
            NodeProcess rank, List<KernelProcess> tree, @Nullable Long silent) {
        Map<String, @Nullable Object> sample = new LinkedHashMap<>();
        sample.put("id", rank.id());
        sample.put("ticks", tree.stream().mapToLong(KernelProcess::ticks).sum());
        sample.put("faults", tree.stream().mapToLong(KernelProcess::faults).sum());
        sample.put("bytes", tree.stream().mapToLong(ProcessSnapshot::bytes).sum());
        // The sum of pids identifies the set of processes.
        sample.put("processes", tree.stream().mapToLong(KernelProcess::pid).sum());
        sample.put("silentMillis", silent == null ? null : TimeUnit.NANOSECONDS.toMillis(silent));
        return sample;
    }
}
