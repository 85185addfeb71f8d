package dev.muster.runtime.watch;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call of a Python stack.
 *
 * @param file its path, as Python has it
 */
record StackFrame(String function, String file, int line) {

    /** {@code     train (/work/train.py:88)}. */
    private static final Pattern OF_PY_SPY = Pattern.compile("\\s+(.+) \\((.*):(\\d{1,9})\\)");

    /** {@code   File "/work/train.py", line 88 in train}. */
    private static final Pattern OF_FAULTHANDLER = Pattern.compile("\\s*File \"(.*)\", line (\\d{1,9}) in (.+)");

    private static final Pattern LIBRARY =
            Pattern.compile(".*/(?:site|dist)-packages/.*|.*/lib(?:64)?/python[0-9.]+/.*|<frozen .*");

    /** Of the packages in which ranks wait for each other. */
    private static final Pattern COLLECTIVE_FILE = Pattern.compile(
            ".*/(?:torch/distributed|torch/nn/parallel|horovod|mindspore/communication|deepspeed/comm|mpi4py)/.*");

    private static final Set<String> COLLECTIVES = Set.of(
            ("all_reduce allreduce all_gather allgather all_to_all alltoall barrier broadcast reduce reduce_scatter gather scatter"
                            + " send recv isend irecv wait_all synchronize backward item init_process_group destroy_process_group"
                            + " Barrier Allreduce Bcast Recv Send")
                    .split(" "));

    static Optional<StackFrame> ofPySpy(String line) {
        Matcher matcher = OF_PY_SPY.matcher(line);
        return matcher.matches()
                ? Optional.of(new StackFrame(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    static Optional<StackFrame> ofFaulthandler(String line) {
        Matcher matcher = OF_FAULTHANDLER.matcher(line);
        return matcher.matches()
                ? Optional.of(new StackFrame(matcher.group(3), matcher.group(1), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /** Without the class, which Python 3.11 and newer tell. */
    private String name() {
        return function.substring(function.lastIndexOf('.') + 1);
    }

    private boolean isOfUser() {
        return !LIBRARY.matcher(file).matches();
    }

    private String place() {
        return "(" + file.substring(file.lastIndexOf('/') + 1) + ":" + line + ")";
    }

    @Override
    public String toString() {
        return function + " " + place();
    }

    /**
     * What a stack stands in, for users: what their own code has called last, and where.
     *
     * @param frames the innermost first
     */
    static String headline(List<StackFrame> frames) {
        for (int at = 0; at < frames.size(); at++) {
            if (frames.get(at).isOfUser()) {
                return frames.get(Math.max(0, at - 1)).name() + " "
                        + frames.get(at).place();
            }
        }
        return frames.isEmpty() ? "" : frames.get(0).toString();
    }

    /** Whether ranks wait for each other there. */
    static boolean isCollective(List<StackFrame> frames) {
        return frames.stream()
                .anyMatch(frame -> COLLECTIVE_FILE.matcher(frame.file()).matches()
                        || (!frame.isOfUser() && COLLECTIVES.contains(frame.name())));
    }
}
