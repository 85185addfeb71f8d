package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.report.ExitCodes;
import java.time.Instant;

/**
 * What a launcher was asked for.
 *
 * @param codes which exit code a cause gives
 * @param startedAt when the launcher started
 */
record LaunchRequest(Invocation invocation, Site site, ExitCodes codes, Instant startedAt) {}
