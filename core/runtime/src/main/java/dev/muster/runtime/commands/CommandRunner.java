package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import java.time.Duration;
import java.util.List;

/** Runs commands that only ask for a fact, such as the version of a program, and end at once. */
public interface CommandRunner {

    /** Its own code stands for a command that took too long. */
    int TOO_LATE = 124;

    /** Its own code stands for a command that the system does not execute. */
    int NOT_EXECUTABLE = 126;

    /** The most that is read of an answer. */
    int LIMIT = 64 * 1024;

    /**
     * What a command answered.
     *
     * @param exitCode its own, 128+n for signal n, or 127, 126 and 124 for a command that is not there, cannot be executed or
     *     took too long
     * @param output what it wrote to standard output, at most 64 KiB
     */
    record Answer(int exitCode, String output) {}

    /**
     * Runs a command and waits for its answer.
     *
     * @throws dev.muster.runtime.errors.StoppedException when the launcher is told to stop before the answer; then the command has
     *     been ended
     */
    Answer ask(List<String> command, Duration deadline);

    /** The same with another environment. */
    CommandRunner with(Environment environment);
}
