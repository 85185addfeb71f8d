package dev.muster.runtime.watch;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.questions.RunningAttempt;
import dev.muster.runtime.questions.RunningAttempt.NodeProcess;
import dev.muster.runtime.watch.ProcessSnapshot.KernelProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds where one rank stands: with py-spy, else with Python's faulthandler, else with the kernel's view.
 *
 * @param signal the signal for which a rank prints its stack, without SIG; empty: none is sent
 */
record StackReader(
        ProcessSnapshot snapshot,
        CommandRunner commands,
        RunningAttempt attempt,
        Optional<String> signal,
        LongSupplier nanoClock) {

    private static final Duration TO_LOOK = Duration.ofSeconds(8);
    private static final long TO_PRINT = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int NOT_FOUND = 127;
    private static final int MOST_CHILDREN = 16;
    private static final String FIRST_CALL = "(most recent call first):";

    /** A stack, or the reason why it cannot be read. */
    private record Attempted(String source, List<StackFrame> frames, String why) {

        private static Attempted failed(String why) {
            return new Attempted("kernel", List.of(), why);
        }

        private List<String> lines() {
            return frames.stream().map(StackFrame::toString).toList();
        }
    }

    /** The entry for a running rank. */
    Map<String, @Nullable Object> read(NodeProcess rank) {
        List<KernelProcess> tree = snapshot.tree(rank.pid().orElseThrow());
        long pid = tree.stream()
                .map(KernelProcess::pid)
                .filter(StackReader::isPython)
                .findFirst()
                .orElse(rank.pid().orElseThrow());
        Attempted stack = stack(rank, pid);
        boolean isKernel = stack.frames().isEmpty();
        String where = isKernel ? KernelView.call(pid) : StackFrame.headline(stack.frames());
        Map<String, @Nullable Object> entry = rank.entry();
        entry.put("source", stack.source());
        entry.put("where", where);
        entry.put(
                "stopped",
                snapshot.find(pid).filter(process -> process.state() == 'T').isPresent());
        entry.put("waiting", isKernel ? KernelView.isWaiting(where) : StackFrame.isCollective(stack.frames()));
        entry.put("stack", isKernel ? List.of(KernelView.words(pid)) : stack.lines());
        entry.put("note", stack.why().isEmpty() ? null : stack.why());
        entry.put("children", children(tree, pid));
        return entry;
    }

    private static List<String> children(List<KernelProcess> tree, long pid) {
        return tree.stream()
                .filter(process -> process.pid() != pid)
                .limit(MOST_CHILDREN)
                .map(process -> process.name() + " (pid " + process.pid() + "): " + KernelView.words(process.pid()))
                .toList();
    }

    private static boolean isPython(long pid) {
        Path program = Path.of(ReadableFiles.target(ProcessSnapshot.path(pid, "exe")));
        return String.valueOf(program.getFileName()).contains("python");
    }

    private Attempted stack(NodeProcess rank, long pid) {
        if (!isPython(pid)) {
            return Attempted.failed("");
        }
        Attempted seen = byPySpy(pid);
        return seen.frames().isEmpty() && signal.isPresent() ? byFaulthandler(rank, pid, seen.why()) : seen;
    }

    private Attempted byPySpy(long pid) {
        Optional<Path> program = pySpy(pid);
        if (program.isEmpty()) {
            return Attempted.failed("py-spy is not on the PATH of the rank: pip install py-spy");
        }
        List<String> command = List.of(
                "/bin/sh",
                "-c",
                "exec \"$0\" dump --nonblocking --full-filenames --pid \"$1\" 2>&1",
                program.get().toString(),
                Long.toString(pid));
        try {
            CommandRunner.Answer answer = commands.ask(command, TO_LOOK);
            List<StackFrame> frames = mainThread(answer.output());
            return frames.isEmpty() ? Attempted.failed(refusal(answer)) : new Attempted("py-spy", frames, "");
        } catch (StoppedException jobEnds) {
            return Attempted.failed("the job is being stopped");
        }
    }

    private static String refusal(CommandRunner.Answer answer) {
        if (answer.exitCode() == CommandRunner.TOO_LATE || answer.exitCode() == NOT_FOUND) {
            return "py-spy did not answer";
        }
        boolean isRefused =
                answer.output().contains("ermission denied") || answer.output().contains("not permitted");
        return isRefused
                ? "py-spy may not look into the rank: run it as root, or with CAP_SYS_PTRACE, or see kernel.yama.ptrace_scope"
                : "py-spy has failed: "
                        + answer.output()
                                .lines()
                                .filter(line -> !line.isBlank())
                                .findFirst()
                                .orElse("it says nothing");
    }

    /** py-spy beside the rank's interpreter, or in the rank's PATH. */
    private static Optional<Path> pySpy(long pid) {
        String interpreter = ProcessSnapshot.text(pid, "cmdline").split("\0", -1)[0];
        Stream<String> path = Stream.of(ProcessSnapshot.text(pid, "environ").split("\0", -1))
                .filter(variable -> variable.startsWith("PATH="))
                .flatMap(variable ->
                        Stream.of(variable.substring("PATH=".length()).split(":", -1)))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> directory + "/x");
        return Stream.concat(Stream.of(interpreter), path)
                .filter(program -> program.startsWith("/"))
                .map(program -> Path.of(program).resolveSibling("py-spy"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The frames of the first thread named MainThread, else of the first thread. */
    static List<StackFrame> mainThread(String dump) {
        List<String> threads =
                Stream.of(dump.split("\n(?=Thread )", -1)).skip(1).toList();
        return threads.stream()
                .filter(thread -> thread.lines().findFirst().orElse("").contains("MainThread"))
                .findFirst()
                .or(() -> threads.stream().findFirst())
                .stream()
                .flatMap(String::lines)
                .flatMap(line -> StackFrame.of(StackFrame.OF_PY_SPY, line).stream())
                .toList();
    }

    private Attempted byFaulthandler(NodeProcess rank, long pid, String before) {
        OptionalInt number = SignalNames.number(signal.orElseThrow());
        if (number.isEmpty() || !handles(pid, number.getAsInt())) {
            return Attempted.failed(before + "; the rank does not handle SIG" + signal.orElseThrow());
        }
        String printed = attempt.lastOutput(rank.id());
        commands.ask(List.of("/bin/sh", "-c", "kill -s " + signal.orElseThrow() + " " + pid), TO_LOOK);
        long end = nanoClock.getAsLong() + TO_PRINT;
        List<StackFrame> frames = List.of();
        while (nanoClock.getAsLong() - end < 0) {
            LockSupport.parkNanos(LOOK);
            List<StackFrame> now = printedStack(added(printed, attempt.lastOutput(rank.id())));
            if (!now.isEmpty() && now.equals(frames)) {
                return new Attempted("faulthandler", now, "");
            }
            frames = now;
        }
        return Attempted.failed(before + "; the rank has printed no stack at SIG" + signal.orElseThrow());
    }

    private static boolean handles(long pid, int number) {
        String mask = ReadableFiles.field(ProcessSnapshot.text(pid, "status"), "SigCgt:");
        return (Long.parseUnsignedLong("0" + mask, 16) >>> (number - 1) & 1) == 1;
    }

    /** The output after {@code before}. Its beginning may be lost. */
    private static String added(String before, String after) {
        String known = before.substring(Math.max(0, before.length() - 400));
        int at = known.isEmpty() ? -1 : after.lastIndexOf(known);
        return at < 0 ? after : after.substring(at + known.length());
    }

    /** The frames of the last thread: faulthandler prints the main thread last. */
    static List<StackFrame> printedStack(String text) {
        int start = text.lastIndexOf(FIRST_CALL);
        return start < 0
                ? List.of()
                : text.substring(start)
                        .lines()
                        .skip(1)
                        .map(line -> StackFrame.of(StackFrame.OF_FAULTHANDLER, line))
                        .takeWhile(Optional::isPresent)
                        .flatMap(Optional::stream)
                        .toList();
    }
}
