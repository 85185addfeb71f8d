package dev.muster.runtime.watch;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.questions.RunningAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
 * Finds where one rank stands: by py-spy, else by Python's faulthandler, else by what the kernel says.
 *
 * @param signal at which a rank prints its stack, without SIG; empty: none is sent
 */
record StackReader(
        ProcessSnapshot snapshot,
        KernelView kernel,
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
    private static final String THREAD = "Thread ";

    /** A stack, or why there is none. */
    private record Attempted(String source, List<StackFrame> frames, String why) {

        private static Attempted failed(String why) {
            return new Attempted("kernel", List.of(), why);
        }
    }

    /** What is known of a rank that runs. */
    Map<String, @Nullable Object> read(RankProcess rank) {
        List<KernelProcess> tree = snapshot.tree(rank.pid().orElseThrow());
        long pid = tree.stream()
                .map(KernelProcess::pid)
                .filter(this::isPython)
                .findFirst()
                .orElse(rank.pid().orElseThrow());
        Attempted stack = stack(rank, pid);
        boolean isKernel = stack.frames().isEmpty();
        String where = isKernel ? kernel.call(pid) : StackFrame.headline(stack.frames());
        boolean isStopped = tree.stream().anyMatch(process -> process.pid() == pid && process.state() == 'T');
        boolean isWaiting = isKernel ? SystemCalls.isWaiting(where) : StackFrame.isCollective(stack.frames());
        Map<String, @Nullable Object> entry = RankStack.entry(rank, stack.source(), where, isStopped, isWaiting);
        entry.put("stack", lines(stack, pid));
        entry.put("note", stack.why().isEmpty() ? null : stack.why());
        entry.put("children", children(tree, pid));
        return entry;
    }

    private List<String> lines(Attempted stack, long pid) {
        return stack.frames().isEmpty()
                ? List.of(kernel.words(pid))
                : stack.frames().stream().map(StackFrame::toString).toList();
    }

    private List<String> children(List<KernelProcess> tree, long pid) {
        return tree.stream()
                .filter(process -> process.pid() != pid)
                .limit(MOST_CHILDREN)
                .map(process -> process.name() + " (pid " + process.pid() + "): " + kernel.words(process.pid()))
                .toList();
    }

    private boolean isPython(long pid) {
        try {
            Path program = Files.readSymbolicLink(snapshot.proc().resolve(pid + "/exe"));
            return String.valueOf(program.getFileName()).contains("python");
        } catch (IOException goneOrRefused) {
            return false;
        }
    }

    private Attempted stack(RankProcess rank, long pid) {
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

    /** Beside the interpreter, or in the rank's PATH. */
    private Optional<Path> pySpy(long pid) {
        String interpreter = snapshot.text(pid, "cmdline").split("\0", -1)[0];
        Stream<String> beside = interpreter.startsWith("/")
                ? Stream.of(interpreter.substring(0, interpreter.lastIndexOf('/')))
                : Stream.empty();
        Stream<String> path = Stream.of(snapshot.text(pid, "environ").split("\0", -1))
                .filter(variable -> variable.startsWith("PATH="))
                .flatMap(variable ->
                        Stream.of(variable.substring("PATH=".length()).split(":", -1)))
                .filter(directory -> directory.startsWith("/"));
        return Stream.concat(beside, path)
                .map(directory -> Path.of(directory, "py-spy"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The first thread that is called so, else the first of all. */
    static List<StackFrame> mainThread(String dump) {
        List<String> lines = dump.lines().toList();
        int start = 0;
        for (int at = lines.size() - 1; at >= 0; at--) {
            boolean isThread = lines.get(at).startsWith(THREAD);
            if (isThread && (start == 0 || !lines.get(start).contains("MainThread") || isMain(lines.get(at)))) {
                start = at;
            }
        }
        List<StackFrame> frames = new ArrayList<>();
        for (int at = start + 1; at < lines.size() && !lines.get(at).startsWith(THREAD); at++) {
            StackFrame.ofPySpy(lines.get(at)).ifPresent(frames::add);
        }
        return frames;
    }

    private static boolean isMain(String line) {
        return line.contains("MainThread");
    }

    private Attempted byFaulthandler(RankProcess rank, long pid, String before) {
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

    private boolean handles(long pid, int number) {
        return snapshot.status(pid, "SigCgt")
                .filter(mask -> (Long.parseUnsignedLong(mask, 16) >>> (number - 1) & 1) == 1)
                .isPresent();
    }

    /** What has been printed since; its beginning may be lost. */
    private static String added(String before, String after) {
        String known = before.substring(Math.max(0, before.length() - 400));
        int at = known.isEmpty() ? -1 : after.lastIndexOf(known);
        return at < 0 ? after : after.substring(at + known.length());
    }

    /** The main thread is the last that faulthandler prints. */
    static List<StackFrame> printedStack(String text) {
        int start = text.lastIndexOf(FIRST_CALL);
        return start < 0
                ? List.of()
                : text.substring(start)
                        .lines()
                        .skip(1)
                        .map(StackFrame::ofFaulthandler)
                        .takeWhile(Optional::isPresent)
                        .flatMap(Optional::stream)
                        .toList();
    }
}
