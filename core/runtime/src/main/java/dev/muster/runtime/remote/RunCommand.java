package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Secret;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code muster run}: starts a launcher on each of several hosts by ssh, as one job. */
public final class RunCommand {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);
    private static final int SECRET_BYTES = 32;
    private static final int MARK_BYTES = 8;

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
        List<SshClient.Target> targets = targets(settings);
        settings.warnings().forEach(context.console()::warn);
        Optional<PackageArchive> archive = archive(settings);
        LaunchOrder order =
                order(invocation, targets, archive.map(PackageArchive::sum).orElse(""), startedAt);
        try {
            return run(
                    order,
                    targets,
                    archive,
                    new OutputHub(context.console(), order.jobId(), startedAt, ConsoleStyle.PLAIN));
        } catch (IOException noPipes) {
            throw new MusterException(
                    ExitCode.TEMPORARY, "cannot take the output of ssh: " + noPipes.getMessage(), noPipes);
        }
    }

    private List<SshClient.Target> targets(Settings settings) {
        if (processInfo.launcher().packageHome().isEmpty()) {
            throw MusterException.configuration(
                    "muster run starts the package's bin/muster on other hosts, and this is a plain jar. Start bin/muster");
        }
        SshClient client = new SshClient(ssh(), context.commands());
        List<SshClient.Target> targets = new HostSource(settings, processInfo)
                .hosts().stream().map(client::target).toList();
        requireDifferent(targets);
        return targets;
    }

    private int run(LaunchOrder order, List<SshClient.Target> targets, Optional<PackageArchive> archive, OutputHub hub)
            throws IOException, InterruptedException {
        Settings settings = order.invocation().settings();
        RemoteJob job = new RemoteJob(settings, archive, context, launcher -> launcher.kill(supervisor));
        context.console()
                .say("job " + order.jobId() + ": starting launchers by ssh on " + String.join(", ", order.names()));
        boolean hasPrefix = settings.text(OptionTable.PREFIX).orElseThrow().equals("rank");
        byte[] script = order.begin();
        for (SshClient.Target target : targets) {
            StreamSpec shown = shown(target, hasPrefix);
            RemoteLauncher launcher = new RemoteLauncher(target, hub.open(shown), order.mark(), job::hear);
            launcher.start(supervisor, processInfo, script);
            job.add(launcher);
        }
        int code = job.run((launcher, index) ->
                launcher.go(order.go(index, targets.get(index).host())));
        hub.drain(DRAIN_LIMIT);
        context.console().say(job.lastLine());
        return code;
    }

    private static StreamSpec shown(SshClient.Target target, boolean hasPrefix) {
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

    private Optional<PackageArchive> archive(Settings settings) {
        Path place = Path.of(processInfo.environment().value("TMPDIR").orElse("/tmp"));
        Path home = processInfo.launcher().packageHome().orElseThrow();
        return settings.isOn(OptionTable.COPY)
                ? Optional.of(PackageArchive.of(home, processInfo.directory().resolve(place), context.commands()))
                : Optional.empty();
    }

    private LaunchOrder order(Invocation invocation, List<SshClient.Target> targets, String sum, Instant startedAt) {
        String id = invocation
                .settings()
                .given(OptionTable.JOB_ID)
                .map(Setting::value)
                .orElseGet(() -> "run-" + processInfo.nameAt(startedAt));
        return new LaunchOrder(
                processInfo,
                invocation,
                targets.stream().map(SshClient.Target::name).toList(),
                id,
                "muster-" + RandomText.hexadecimal(MARK_BYTES) + ":",
                sum,
                processInfo.linkSecret().map(Secret::reveal).orElseGet(() -> RandomText.hexadecimal(SECRET_BYTES)));
    }

    private static void requireDifferent(List<SshClient.Target> targets) {
        Set<String> seen = new HashSet<>();
        targets.stream().filter(target -> !seen.add(target.name())).findFirst().ifPresent(twice -> {
            throw MusterException.usage("two of the hosts are " + twice.name()
                    + ". Give each host once: a node of a job needs an address of its own");
        });
    }
}
