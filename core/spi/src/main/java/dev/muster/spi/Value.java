package dev.muster.spi;

import java.util.List;

/**
 * A text in a plan, known now or once the runtime has prepared the run.
 *
 * @since 0.1
 */
public sealed interface Value {

    /** A text known now. */
    record Literal(String text) implements Value {}

    /** The absolute path at which a {@link FileToWrite} of the plan was written. */
    record PathOf(String fileId) implements Value {}

    /**
     * A TCP port of this machine, 5000 to 10000, that is free when the run starts and that no other job of Muster's on this
     * machine gets while the run lasts.
     *
     * @param name equal names in a plan are the same port
     */
    record FreePort(String name) implements Value {}

    /**
     * The absolute path of a directory that only this run and its user can enter, on this machine. No directory above it can be
     * written by others, as sshd demands of what it trusts; where there is no such place, others can at least exchange nothing,
     * but in a volume that a container has for itself. It goes away with the run.
     */
    record PrivateDirectory() implements Value {}

    /**
     * The IP address of a host for which a {@link Condition.PortOpen} of the plan has come true: of the process that is started,
     * or that reads the file with this value. The host's name when nobody has looked.
     */
    record AddressOf(String host) implements Value {}

    /** How the job ends: the launcher's exit code. Only in steps {@code ON_STOP} and {@code AFTER_OUTCOME}. */
    record ExitCode() implements Value {}

    /** Why the job ends, in one line without the exit code. Only in steps {@code ON_STOP} and {@code AFTER_OUTCOME}. */
    record Reason() implements Value {}

    /**
     * The value of the variable {@code MUSTER_JOB}, by which the runtime knows the processes of this run. Whoever starts
     * processes on behalf of the run from outside gives it to them, so that they end with it.
     */
    record RunMarker() implements Value {}

    /**
     * The environment of a process of the plan as {@code env} prints it, a line for each variable, sorted by their names. Values
     * of secrets are masked. Only in files that no process names.
     */
    record EnvironmentOf(String processId) implements Value {}

    /**
     * The text of a resource of the engine's jar, such as a shell script.
     *
     * @param name as {@link Class#getResource} takes it, relative to the engine's class
     */
    record Resource(String name) implements Value {}

    /** Several values, one directly after another. */
    record Joined(List<Value> parts) implements Value {
        public Joined {
            parts = List.copyOf(parts);
        }
    }

    static Value of(String text) {
        return new Literal(text);
    }

    static Value of(long number) {
        return new Literal(Long.toString(number));
    }

    /** Several values, one directly after another. */
    static Value joined(Value... parts) {
        return new Joined(List.of(parts));
    }
}
