package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Secret;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SshHost;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.RandomText;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.process.ProcessSupervisor;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code muster run}: starts a launcher on each of several hosts by ssh, as one job. */
public final class RunCommand {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);
    private static final int SECRET_BYTES = 32;
    private static final int MARK_BYTES = 8;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final LaunchContext context;
    private final ProcessInfo processInfo;
    private final ProcessSupervisor supervisor;

    @Inject
    public RunCommand(LaunchContext context, ProcessSupervisor supervisor) {
        this.context = context;
        this.processInfo = context.processInfo();
        this.supervisor = supervisor;
    }

    /**
     * Runs the job.
     *
     * @return the job's exit code
     * @throws MusterException when not all hosts can run it; nothing runs then
     */
    public int run(Invocation invocation) throws InterruptedException {
        Instant startedAt = context.clock().instant();
        Settings settings = invocation.settings();
        List<SshTarget> targets = targets(settings);
        settings.warnings().forEach(context.console()::warn);
        LaunchOrder order = order(invocation, targets, startedAt);
        RemoteJob job = new RemoteJob(order, context);
        try {
            OutputHub hub = new OutputHub(context.console(), order.jobId(), startedAt, ConsoleStyle.PLAIN);
            context.console()
                    .say("job " + order.jobId() + ": starting launchers by ssh on "
                            + order.names().replace(",", ", "));
            boolean hasPrefix = settings.text(OptionTable.PREFIX).orElseThrow().equals("rank");
            for (SshTarget target : targets) {
                job.add(new RemoteLauncher(target, hub.open(shown(target, hasPrefix)), supervisor));
            }
            job.run();
            hub.drain(DRAIN_LIMIT);
            return job.verdict();
        } catch (IOException refused) {
            throw new MusterException(ExitCode.TEMPORARY, "ssh cannot be started: " + IoReasons.of(refused), refused);
        }
    }

    private List<SshTarget> targets(Settings settings) {
        if (processInfo.launcher().packageHome().isEmpty()) {
            throw MusterException.configuration(
                    "muster run starts the package's bin/muster on other hosts, and this is a plain jar. Start bin/muster");
        }
        String ssh = ssh();
        Map<String, SshTarget> targets = new LinkedHashMap<>();
        for (SshHost host : new HostSource(settings, processInfo).hosts()) {
            SshTarget target = SshTarget.of(host, ssh, context.commands());
            if (targets.put(target.name(), target) != null) {
                throw MusterException.usage("two of the hosts are " + target.name()
                        + ". Give each host once: a node of a job needs an address of its own");
            }
        }
        return List.copyOf(targets.values());
    }

    private static StreamSpec shown(SshTarget target, boolean hasPrefix) {
        String name = target.host().name();
        String prefix = hasPrefix ? "[" + name + "] " : "";
        return new StreamSpec(
                target.name(), name, OptionalInt.empty(), prefix, Optional.empty(), StreamSpec.USUALLY_KEPT);
    }

    private String ssh() {
        try {
            return Executables.resolve("ssh", processInfo.environment().value("PATH"), processInfo.directory())
                    .toString();
        } catch (MusterException missing) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "muster run needs ssh: " + missing.getMessage() + ". Install openssh-client",
                    missing);
        }
    }

    private LaunchOrder order(Invocation invocation, List<SshTarget> targets, Instant startedAt) {
        Settings settings = invocation.settings();
        Path place = Path.of(processInfo.environment().value("TMPDIR").orElse("/tmp"));
        Path home = processInfo.launcher().packageHome().orElseThrow();
        return new LaunchOrder(
                processInfo,
                invocation,
                targets,
                settings.isOn(OptionTable.COPY)
                        ? Optional.of(
                                PackageArchive.of(home, processInfo.directory().resolve(place), context.commands()))
                        : Optional.empty(),
                settings.text(OptionTable.JOB_ID)
                        .orElseGet(() -> "run-" + TIME.format(startedAt) + "-" + processInfo.pid()),
                "muster-" + RandomText.hexadecimal(MARK_BYTES) + ":",
                processInfo.linkSecret().map(Secret::reveal).orElseGet(() -> RandomText.hexadecimal(SECRET_BYTES)));
    }
}
