package dev.muster.runtime.engines;

import dev.muster.runtime.errors.ExitCode;

/**
 * Something that should have been an engine, or a jar that makes one unusable.
 *
 * @param place the plugin's directory or jar, as far as known
 * @param reason what is wrong with it, in one line
 * @param kind how bad that is
 */
public record BrokenEngine(String place, String reason, Kind kind) {

    /** What is the matter with it. */
    public enum Kind {
        /** It does not fit here, is incomplete, or stands in the way of another. */
        UNUSABLE(ExitCode.UNAVAILABLE),
        /** Its code was asked, and did what no engine may do. */
        MISBEHAVED(ExitCode.INTERNAL),
        /** We did not even try, since others could have written it. */
        REFUSED(ExitCode.CONFIGURATION);

        private final ExitCode exitCode;

        Kind(ExitCode exitCode) {
            this.exitCode = exitCode;
        }

        /** What a launch of it ends with. */
        ExitCode exitCode() {
            return exitCode;
        }
    }

    /** Place and reason in one line. */
    @Override
    public String toString() {
        return place + ": " + reason;
    }
}
