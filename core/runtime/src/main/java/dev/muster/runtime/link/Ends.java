package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import java.util.Optional;

/** The ends that the link itself finds. */
final class Ends {

    private static final String SUCCESS = "everything that decides the job has succeeded";

    /** Why a launcher is lost whose seat another run of it takes. */
    static final String STARTED_AGAIN = "its launcher was started again while the job was running";

    private Ends() {}

    /** A launcher is gone, or cannot be reached. */
    static JobEnd lost(String launcher, Optional<String> host, String reason) {
        return JobEnd.of(JobEnd.Kind.LOST, launcher, host, ExitCode.TEMPORARY.code(), reason);
    }

    /** Two launchers do not fit together. */
    static JobEnd unfit(String launcher, Optional<String> host, String reason) {
        return JobEnd.of(JobEnd.Kind.REFUSED, launcher, host, ExitCode.CONFIGURATION.code(), reason);
    }

    /** It was taken for lost, and still lives. */
    static JobEnd leftBehind(String launcher, Optional<String> host, int number) {
        return lost(
                launcher,
                host,
                "this node was taken for lost while it could not be reached, and the job has gone on to its run "
                        + number);
    }

    /** Another launcher has its place; the job goes on without it. */
    static JobEnd replaced(String launcher, Optional<String> host, Optional<String> by) {
        return lost(
                launcher,
                host,
                "another launcher has taken the place of this one"
                        + by.map(place -> ", at " + place).orElse("") + ": it was taken for lost");
    }

    /** @param reason why the leader takes the job for done, where it said so */
    static JobEnd success(String launcher, Optional<String> host, Optional<String> reason) {
        return JobEnd.of(JobEnd.Kind.SUCCESS, launcher, host, 0, reason.orElse(SUCCESS));
    }
}
