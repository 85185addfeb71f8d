package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How a run of the launcher ended, and what it printed. */
final class Result {

    private static final int SHOWN = 8000;

    private final int exitCode;
    private final byte[] standardOutput;
    private final byte[] standardError;
    private final Duration duration;

    /** @param duration from its start to its end */
    Result(int exitCode, byte[] standardOutput, byte[] standardError, Duration duration) {
        this.exitCode = exitCode;
        this.standardOutput = standardOutput;
        this.standardError = standardError;
        this.duration = duration;
    }

    int exitCode() {
        return exitCode;
    }

    Duration duration() {
        return duration;
    }

    byte[] standardOutput() {
        return standardOutput;
    }

    /** What came out of standard output. */
    String output() {
        return new String(standardOutput, StandardCharsets.UTF_8);
    }

    List<String> outputLines() {
        return output().lines().toList();
    }

    /** What came out of standard error. */
    String messages() {
        return new String(standardError, StandardCharsets.UTF_8);
    }

    /**
     * Asserts an exit code, and that standard error has only lines of Muster: nothing of the JVM, and no stack trace.
     */
    Result endedWith(int expected) {
        assertThat(exitCode).as("exit code of: %s", this).isEqualTo(expected);
        assertThat(messages().lines())
                .as("standard error")
                .allMatch(line -> line.startsWith("muster: "), "muster: ...");
        return this;
    }

    /** Asserts the exit code of a launcher that got SIGTERM at any moment. */
    void wasTerminated() {
        assertThat(exitCode).as("exit code of: %s", this).isEqualTo(143);
    }

    /** Demands words on standard error, whatever their case. */
    Result says(String... words) {
        for (String word : words) {
            assertThat(messages().toLowerCase(Locale.ROOT))
                    .as("standard error mentions %s", word)
                    .contains(word.toLowerCase(Locale.ROOT));
        }
        return this;
    }

    /** Demands that some words are not on standard error. */
    Result doesNotSay(String... words) {
        for (String word : words) {
            assertThat(messages()).doesNotContainIgnoringCase(word);
        }
        return this;
    }

    @Override
    public String toString() {
        return "exit code " + exitCode + " after " + duration.toMillis() + " ms\n--- standard output\n"
                + shortened(output()) + "\n--- standard error\n" + shortened(messages());
    }

    /** The beginning of a long text, for messages. */
    static String shortened(String text) {
        return shortened(text, SHOWN);
    }

    static String shortened(String text, int shown) {
        return text.length() <= shown ? text : text.substring(0, shown) + "... (" + text.length() + " characters)";
    }
}
