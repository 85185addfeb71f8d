package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.report.ExitCodes;
import java.time.Instant;

/**
 * What a launcher was asked for.
 *
 * @param codes maps a cause to an exit code
 * @param startedAt when the launcher started
 */
record LaunchRequest(Invocation invocation, ResolvedJob resolved, ExitCodes codes, Instant startedAt) {}
