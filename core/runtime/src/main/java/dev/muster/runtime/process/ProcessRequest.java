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
 * @param directory its working directory
 * @param output where its standard output goes
 * @param errors where its standard error goes; empty: where its output goes
 * @param input what it reads: {@link #NO_INPUT}, {@link #CALLERS_INPUT}, or the number of this JVM's descriptor of a pipe's read end
 * @param wrapper the name of a shell that only waits for what it has started: SIGTERM goes to all of them; empty: it is none; {@code *}: another
 *     program that does so
 * @param host what it has below it, where it hosts ranks
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

    /** @throws IllegalArgumentException a text has a zero byte in it */
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
     * Where a stream of the process goes.
     *
     * @param write the number of this JVM's descriptor of a pipe's write end; -1: none
     * @param read that of its read end, which the supervisor empties when this JVM has died; -1: none
     * @param socket a Unix socket to connect to instead, where descriptors have no names
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
     * A process that hosts ranks, as mpirun does. In a stop its ranks get SIGTERM, and it itself when they have ended.
     *
     * @param waitsForOthers whether it goes on until {@link ProcessSupervisor#release}, or the end of the grace
     * @param note a file that is made when its ranks are told to end
     */
    public record Host(boolean waitsForOthers, Path note) {}
}
