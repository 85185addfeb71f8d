package dev.muster.runtime.remote;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Secret;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.RandomText;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.ConsoleStyle;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.supervise.SupervisorEvents;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code muster run}: starts a launcher on each of several hosts by ssh, as one job. */
public record RunCommand(LaunchContext context, ProcessSupervisor supervisor, SupervisorEvents events) {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);
    private static final int SECRET_BYTES = 32;
    private static final int MARK_BYTES = 8;

    @Inject
    public RunCommand {}

    /**
     * Runs the job.
     *
     * @return the job's exit code
     * @throws MusterException not all hosts can run it; nothing runs then
     */
    public int run(Invocation invocation) throws InterruptedException {
        Settings settings = invocation.settings();
        List<SshClient.Target> targets = targets(settings);
        settings.warnings().forEach(context.console()::warn);
        Optional<PackageArchive> archive = archive(settings);
        LaunchOrder order =
                order(invocation, targets, archive.map(PackageArchive::sum).orElse(""));
        // Wrong values are refused before the user types a password.
        order.variables();
        try {
            TerminalLogin terminal =
                    TerminalLogin.of(supervisor, context.commands().context());
            RemoteJob job = new RemoteJob(settings, archive, context, terminal, events.control()::requestedGrace);
            return run(job, order, targets);
        } catch (IOException refused) {
            throw new MusterException(ExitCode.TEMPORARY, "ssh cannot be started: " + IoReasons.of(refused), refused);
        }
    }

    private List<SshClient.Target> targets(Settings settings) {
        if (processInfo().launcher().packageHome().isEmpty()) {
            throw MusterException.configuration(
                    "muster run starts the package's bin/muster on other hosts, and this is a plain jar. Start bin/muster");
        }
        SshClient client = new SshClient(ssh(), context.commands());
        List<SshClient.Target> targets = new HostSource(settings, processInfo())
                .hosts().stream().map(client::target).toList();
        requireDifferent(targets);
        return targets;
    }

    private int run(RemoteJob job, LaunchOrder order, List<SshClient.Target> targets)
            throws IOException, InterruptedException {
        OutputHub hub = new OutputHub(context.console(), order.jobId(), ConsoleStyle.PLAIN);
        context.console()
                .say("job " + order.jobId() + ": starting launchers by ssh on " + String.join(", ", order.names()));
        List<RemoteLauncher> launchers = new ArrayList<>();
        for (SshClient.Target target : targets) {
            launchers.add(start(target, order, hub, job));
        }
        RemoteVerdict verdict = job.run(launchers);
        hub.drain(DRAIN_LIMIT);
        context.console().say("exit " + verdict.code() + ": " + verdict.reason());
        return verdict.code();
    }

    private RemoteLauncher start(SshClient.Target target, LaunchOrder order, OutputHub hub, RemoteJob job)
            throws IOException {
        String name = target.host().name();
        Optional<String> prefix = order.invocation().settings().text(OptionTable.PREFIX);
        String shown = prefix.equals(Optional.of("rank")) ? "[" + name + "] " : "";
        ProcessOutput output = hub.open(new StreamSpec(
                target.name(), name, OptionalInt.empty(), shown, Optional.empty(), StreamSpec.USUALLY_KEPT));
        RemoteLauncher launcher = new RemoteLauncher(
                target, output, order, supervisor, context.commands().context(), job::hear);
        launcher.start();
        return launcher;
    }

    private ProcessInfo processInfo() {
        return context.processInfo();
    }

    private String ssh() {
        return Executables.find(
                        "ssh",
                        processInfo().environment().value("PATH"),
                        List.of(),
                        processInfo().directory())
                .orElseThrow(() -> new MusterException(
                        ExitCode.UNAVAILABLE, "muster run needs ssh, and finds none in PATH. Install openssh-client"))
                .toString();
    }

    private Optional<PackageArchive> archive(Settings settings) {
        Path place = Path.of(processInfo().environment().value("TMPDIR").orElse("/tmp"));
        Path home = processInfo().launcher().packageHome().orElseThrow();
        return settings.isOn(OptionTable.COPY)
                ? Optional.of(PackageArchive.of(home, processInfo().directory().resolve(place), context.commands()))
                : Optional.empty();
    }

    private LaunchOrder order(Invocation invocation, List<SshClient.Target> targets, String sum) {
        String id = invocation
                .settings()
                .given(OptionTable.JOB_ID)
                .map(Setting::value)
                .orElseGet(() -> "run-" + processInfo().nameAt(context.clock().instant()));
        return new LaunchOrder(
                processInfo(),
                invocation,
                targets.stream().map(SshClient.Target::name).toList(),
                id,
                "muster-" + RandomText.hexadecimal(MARK_BYTES) + ":",
                sum,
                processInfo().linkSecret().map(Secret::reveal).orElseGet(() -> RandomText.hexadecimal(SECRET_BYTES)));
    }

    private static void requireDifferent(List<SshClient.Target> targets) {
        Set<String> seen = new HashSet<>();
        targets.stream().filter(target -> !seen.add(target.name())).findFirst().ifPresent(twice -> {
            throw MusterException.usage("two of the hosts are " + twice.name()
                    + ". Give each host once: a node of a job needs an address of its own");
        });
    }
}
