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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells what each rank of this node has done so far, in numbers that only grow while it does something. */
public final class ActivityHandler implements QuestionHandler {

    static final String KIND = "activity";

    private final Path proc;
    private final LongSupplier nanoClock;

    /** @param proc where {@code /proc} is */
    public ActivityHandler(Path proc, LongSupplier nanoClock) {
        this.proc = proc;
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
        boolean isOpen = attempt.isPresent() && attempt.get().isOpen();
        answer.put("open", isOpen);
        answer.put("ranks", isOpen ? ranks(attempt.get()) : List.of());
        return answer;
    }

    private List<Object> ranks(RunningAttempt attempt) throws InterruptedException {
        ProcessSnapshot snapshot = ProcessSnapshot.take(proc, nanoClock.getAsLong());
        List<Object> ranks = new ArrayList<>();
        for (RankProcess rank : RankProcess.of(attempt, snapshot)) {
            if (rank.isRunning()) {
                ranks.add(entry(rank, attempt, snapshot.tree(rank.pid().orElseThrow()), snapshot));
            }
        }
        return ranks;
    }

    private Map<String, @Nullable Object> entry(
            RankProcess rank, RunningAttempt attempt, List<KernelProcess> tree, ProcessSnapshot snapshot) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", rank.id());
        entry.put("ticks", tree.stream().mapToLong(KernelProcess::ticks).sum());
        entry.put("faults", tree.stream().mapToLong(KernelProcess::faults).sum());
        entry.put(
                "bytes",
                tree.stream()
                        .mapToLong(process -> snapshot.bytes(process.pid()))
                        .sum());
        // Its value tells one set of processes from another.
        entry.put("processes", tree.stream().mapToLong(KernelProcess::pid).sum());
        OptionalLong printedAt = attempt.printedAt(rank.id());
        entry.put(
                "silentMillis",
                printedAt.isEmpty()
                        ? null
                        : TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - printedAt.getAsLong()));
        return entry;
    }
}
