package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;

/** The ends that the link itself finds. */
final class Ends {

    /** Why a launcher is lost whose place another run of it takes. */
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

    /** The link cannot be made, and the job needs it. */
    static JobEnd refused(LinkSettings settings, ExitCode code, String reason) {
        LauncherNodes launchers = settings.launchers();
        Optional<String> host = launchers.self().host().map(Host::name);
        return JobEnd.of(JobEnd.Kind.REFUSED, launchers.own(), host, code.code(), reason);
    }

    /** Another launcher has its place; the job goes on without it. */
    static JobEnd replaced(String launcher, Optional<String> host, Optional<String> by) {
        return lost(
                launcher,
                host,
                "another launcher has taken the place of this one"
                        + by.map(place -> ", at " + place).orElse("") + ": it was taken for lost");
    }
}
