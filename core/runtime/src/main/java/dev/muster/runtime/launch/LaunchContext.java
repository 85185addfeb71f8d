package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.JobResolver;
import dev.muster.runtime.platform.LocalEvidence;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.TerminationLog;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.JobDirectories;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What every command needs: the process, the console, signals, clocks and other programs.
 *
 * @param commands asks programs of this machine
 * @param shells makes a shell for scripts that change variables; its argument shows what the scripts print
 * @param clock the wall clock, for names and reports
 * @param nanoClock a clock that only goes forward, for deadlines
 */
public record LaunchContext(
        ProcessInfo processInfo,
        Console console,
        Signals signals,
        CommandRunner commands,
        Function<Consumer<String>, VariableShell> shells,
        Clock clock,
        LongSupplier nanoClock) {

    /** Time limit for a command that tells a fact of the platform. */
    private static final Duration TO_ANSWER = Duration.ofSeconds(2);

    private static final Path ROOT = Path.of("/");

    /** This context, with an environment that was activated for the job. */
    LaunchContext with(Environment changed) {
        return new LaunchContext(
                processInfo.with(changed), console, signals, commands.with(changed), shells, clock, nanoClock);
    }

    /** Resolves the job: platform, nodes, this node, cards. Prints warnings for the user. */
    ResolvedJob resolve(Invocation invocation) {
        Settings settings = invocation.settings();
        Optional<EngineDescriptor> engine = Optional.of(invocation.engine().descriptor());
        ResolvedJob resolved =
                resolve(settings, engine, invocation.platforms(), invocation.command() == Command.LAUNCH);
        settings.warnings().forEach(console::warn);
        resolved.warnings().forEach(console::warn);
        resolved.refusal().filter(why -> invocation.command() != Command.LAUNCH).ifPresent(why -> {
            throw why;
        });
        return resolved;
    }

    /**
     * Resolves the job without printing.
     *
     * @param engine the chosen engine, if any
     */
    ResolvedJob resolve(
            Settings settings, Optional<EngineDescriptor> engine, PlatformCatalog platforms, boolean isLaunch) {
        LocalEvidence evidence =
                LocalEvidence.here(processInfo.environment(), engine, isLaunch, Optional.of(settings), this::ask);
        return JobResolver.read(evidence, processInfo, clock, platforms);
    }

    private String ask(List<String> question) {
        CommandRunner.Answer answer = commands.ask(question, TO_ANSWER);
        return answer.exitCode() == 0 ? answer.output() : "";
    }

    TerminationLog terminationLog() {
        return new TerminationLog(ROOT, processInfo.environment().variables(), console::masked);
    }

    /**
     * Checks early that the training program exists. A relative path counts from where the ranks run. If each rank has its own directory,
     * only the plan knows it, and the check skips the path.
     *
     * @throws dev.muster.runtime.errors.MusterException 127 or 126
     */
    void requireProgram(List<String> command, JobDirectories places) {
        String program = command.get(0);
        boolean isRelative = program.contains("/") && !program.startsWith("/");
        if (!(isRelative && places.workDirectoryPerTask())) {
            Executables.resolve(program, processInfo.environment().value("PATH"), Path.of(places.workDirectory()));
        }
    }
}
