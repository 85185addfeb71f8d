package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a process ended.
 *
 * @param exitCode 0..255; 128+n for signal n
 * @param signal the signal that killed it, if one did
 * @param startProblem why it never ran, if it could not be started
 */
public record Termination(int exitCode, OptionalInt signal, Optional<String> startProblem) {

    private static final int SIGNAL_BITS = 0x7f;
    private static final int CODE_SHIFT = 8;
    private static final int CODE_BITS = 0xff;

    public static Termination exited(int code) {
        return new Termination(code, OptionalInt.empty(), Optional.empty());
    }

    public static Termination signalled(int number) {
        return new Termination(ExitCode.ofSignal(number), OptionalInt.of(number), Optional.empty());
    }

    /** The process could not be started. */
    public static Termination notStarted(ExitCode code, String problem) {
        return new Termination(code.code(), OptionalInt.empty(), Optional.of(problem));
    }

    /** From the status that {@code wait} gives for a process that has ended. */
    static Termination ofWaitStatus(int status) {
        int signal = status & SIGNAL_BITS;
        return signal == 0 ? exited(status >> CODE_SHIFT & CODE_BITS) : signalled(signal);
    }

    public boolean isSuccess() {
        return exitCode == 0;
    }

    /** It ended by SIGTERM, or with 143, as a shell does if SIGTERM ended its command. */
    public boolean isBySigterm() {
        return exitCode == ExitCode.ofSignal(SignalNames.TERM);
    }

    /** The predicate of a sentence about a process: {@code ended with exit code 3}, {@code could not be started: ...}. */
    public String predicate() {
        return startProblem.isPresent() ? describe() : "ended with " + describe();
    }

    /** For messages: {@code exit code 3}, {@code SIGKILL (exit code 137)}. */
    public String describe() {
        if (startProblem.isPresent()) {
            return "could not be started: " + startProblem.get();
        }
        return signal.isPresent()
                ? SignalNames.of(signal.getAsInt()) + " (exit code " + exitCode + ")"
                : "exit code " + exitCode;
    }
}
