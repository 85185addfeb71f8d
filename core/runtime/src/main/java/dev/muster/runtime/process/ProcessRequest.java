package dev.muster.runtime.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A process to start.
 *
 * @param command the first element is the absolute path of an executable
 * @param set variables that differ from the caller's environment
 * @param remove variables that the process does not get
 * @param directory the working directory
 * @param output the target of standard output
 * @param errors the target of standard error; empty: the same as the output
 * @param input standard input: {@link #NO_INPUT}, {@link #CALLERS_INPUT}, or the number of this JVM's descriptor of a pipe's read end
 * @param wrapper the name of a shell that only waits for its child, so that both get SIGTERM; {@code *}: another such program; empty: no
 *     wrapper
 * @param host set if it hosts ranks
 */
public record ProcessRequest(
        List<String> command,
        SortedMap<String, String> set,
        SortedSet<String> remove,
        Path directory,
        OutputTarget output,
        Optional<OutputTarget> errors,
        int input,
        String wrapper,
        Optional<Host> host) {

    public static final int NO_INPUT = 0;

    /** Standard input of the launcher's caller. */
    public static final int CALLERS_INPUT = 1;

    /** @throws IllegalArgumentException a text contains a zero byte */
    SupervisorMessage order(long number) {
        SupervisorMessage order = new SupervisorMessage("start")
                .with("id", number)
                .with("dir", directory)
                .withAll("arg", command)
                .withAll("unset", remove)
                .with("out", output.text())
                .with("wrapper", wrapper);
        set.forEach((name, value) -> order.with("set", name + "=" + value));
        if (input != NO_INPUT) {
            order.with("input", input);
        }
        errors.ifPresent(target -> order.with("err", target.text()));
        if (output.read() >= 0) {
            order.with("drain", output.read());
        }
        host.ifPresent(ranks -> order.withFlag("host", true)
                .withFlag("waits", ranks.waitsForOthers())
                .with("note", ranks.note()));
        return order;
    }

    /**
     * The target of an output stream.
     *
     * @param write this JVM's descriptor of a pipe's write end; -1: none
     * @param read the descriptor of its read end, which the supervisor reads if this JVM has died; -1: none
     * @param socket a Unix socket to connect to instead, if descriptors have no names
     */
    public record OutputTarget(int write, int read, Optional<Path> socket) {

        public OutputTarget(int write, int read) {
            this(write, read, Optional.empty());
        }

        public OutputTarget(Path socket) {
            this(-1, -1, Optional.of(socket));
        }

        private String text() {
            return socket.map(Path::toString).orElse(Integer.toString(write));
        }
    }

    /**
     * A process that hosts ranks, such as mpirun. In a stop its ranks get SIGTERM first. It gets SIGTERM when they have ended.
     *
     * @param waitsForOthers whether it goes on until {@link ProcessSupervisor#release}, or the end of the grace
     * @param note a file that is created when its ranks are told to end
     */
    public record Host(boolean waitsForOthers, Path note) {}
}
