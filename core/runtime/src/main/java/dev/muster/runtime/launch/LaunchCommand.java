package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.supervise.LogDirectoryClaim;
import dev.muster.runtime.supervise.PlanRun;
import java.time.Instant;
import java.util.function.Function;

/** {@code muster --engine E -- COMMAND}: runs this node's part of a job. */
public final class LaunchCommand {

    private final LaunchContext context;
    private final PlanRun planRun;
    private final Function<LinkSettings, Link> links;

    /** @param links opens a link, and returns at once */
    public LaunchCommand(LaunchContext context, PlanRun planRun, Function<LinkSettings, Link> links) {
        this.context = context;
        this.planRun = planRun;
        this.links = links;
    }

    /**
     * Runs the job.
     *
     * @param codes which exit code a cause gives
     * @return the launcher's exit code
     * @throws MusterException when nothing could be started
     */
    public int run(Invocation invocation, ExitCodes codes) throws InterruptedException {
        Instant startedAt = context.clock().instant();
        Site site = context.site(invocation);
        try (LogDirectoryClaim logs = new LogDirectoryClaim();
                JobLink link = new JobLink(links, context.signals(), PlannedRun.countOf(site.settings()))) {
            LaunchRequest request = new LaunchRequest(invocation, site, codes, startedAt);
            return new JobAttempts(context, planRun, request, link, logs).run();
        }
    }
}
