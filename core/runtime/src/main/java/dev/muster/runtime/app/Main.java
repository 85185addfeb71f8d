package dev.muster.runtime.app;

import dev.muster.runtime.certify.CertifyCommand;
import dev.muster.runtime.cli.ColorRequest;
import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.Request;
import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.doctor.DoctorCommand;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.manifest.ManifestCommand;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.remote.RunCommand;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.TerminationLog;
import dev.muster.runtime.simulate.SimulateCommand;
import dev.muster.runtime.supervise.SupervisorEvents;
import dev.muster.runtime.text.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The program's entry: finds its supervisor, captures its process, builds what the command needs and ends with its exit code. */
public final class Main {

    /** The exit code of a JVM that ends because its heap is full; the supervisor knows it. */
    private static final int FULL_HEAP = 3;

    private final Console console;
    private Optional<SupervisorAccess> access = Optional.empty();
    private Optional<Signals> signals = Optional.empty();
    private Optional<PluginHost> plugins = Optional.empty();
    private ExitCodes exitCodes = ExitCodes.STANDARD;
    private Optional<TerminationLog> terminationLog = Optional.empty();

    private Main() {
        console = Console.standard();
    }

    /**
     * Runs the launcher; does not return.
     *
     * @param arguments the command line, where no supervisor has started this JVM
     */
    public static void main(String[] arguments) {
        Main main = new Main();
        int code = ExitCode.INTERNAL.code();
        try {
            code = main.end(arguments);
            main.console.close();
        } catch (RuntimeException | Error noThread) {
            main.printAtOnce("exit " + code + ": " + main.describe(noThread));
        } finally {
            main.verdict(code);
            // Not exit: no hook of a library may delay the end or change the code.
            Runtime.getRuntime().halt(code);
        }
    }

    private void verdict(int code) {
        access.ifPresent(supervisor -> supervisor.verdict(code));
    }

    /** Runs the launcher, and reports every failure. */
    private int end(String[] arguments) {
        try {
            return run(arguments);
        } catch (RuntimeException | Error untold) {
            // If no thread can be created, the console has no thread that writes the line.
            Ending ending = ending(ExitCode.of(untold), describe(untold));
            printAtOnce(ending.line());
            return ending.code();
        }
    }

    private int run(String[] arguments) {
        try {
            return begin(arguments);
        } catch (StoppedException stopped) {
            return print(stopped(stopRequest().orElseThrow(), "nothing was started"));
        } catch (MusterException refused) {
            return failed(refused.exitCode(), String.valueOf(refused.getMessage()), refused);
        } catch (InterruptedException | RuntimeException | Error broken) {
            return failed(ExitCode.of(broken), describe(broken), broken);
        }
    }

    private int begin(String[] arguments) throws InterruptedException {
        if (LauncherRequest.isRequested(List.of(arguments))) {
            CallerContext caller = ProcessInfo.ofJvm(arguments);
            color(caller);
            return LauncherCommands.run(caller);
        }
        return run(SupervisorAccess.open(arguments));
    }

    private int run(SupervisorAccess found) throws InterruptedException {
        access = Optional.of(found);
        color(found.caller());
        ProcessInfo processInfo = ProcessInfo.of(found.caller());
        Signals caught = found.connection()
                .map(supervisor -> new Signals(supervisor::confirmStop, Console::sayThreads))
                .orElseGet(Signals::delivered);
        signals = Optional.of(caught);
        Optional<SupervisorEvents> events = found.connection().map(supervisor -> listening(supervisor, caught));
        mask(processInfo, new Secrets(List.of()), List.of());
        terminationLog = terminationLog(processInfo);
        PluginHost host = new PluginHost(caught, found::reportPlugin, console, this::exitByPlugin, Main::exitOnOom);
        plugins = Optional.of(host);
        Request request = RequestReader.of(processInfo, host).read();
        if (request instanceof Request.Information information) {
            return StandardOutput.write(information.text()) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        Commands commands = new Commands(processInfo, console, caught, found::supervisor, events::orElseThrow);
        return carryOut(processInfo, request, commands);
    }

    /** Only a launch writes how its container ended. Commands such as plan and simulate do not. */
    private Optional<TerminationLog> terminationLog(ProcessInfo processInfo) {
        Optional<Command> asked = processInfo.arguments().stream().findFirst().flatMap(Command::of);
        return asked.orElse(Command.LAUNCH) == Command.LAUNCH
                ? Optional.of(new TerminationLog(
                        Path.of("/"), processInfo.environment().variables(), console::masked))
                : Optional.empty();
    }

    private void color(CallerContext caller) {
        console.color(ColorRequest.isRequested(caller.arguments(), caller.variables(), StandardStreams.isTerminal(2)));
    }

    static SupervisorEvents listening(ProcessSupervisor supervisor, Signals signals) {
        ControlServer control = new ControlServer(supervisor, System::nanoTime);
        SupervisorEvents events = new SupervisorEvents(signals, control, System::nanoTime);
        supervisor.listen(events);
        // A launcher that only prints a text is not listed by muster ps.
        if (!RequestReader.isInformation(supervisor.caller().arguments())) {
            supervisor.acceptRequests();
        }
        return events;
    }

    private int carryOut(ProcessInfo processInfo, Request request, Commands commands) throws InterruptedException {
        if (request instanceof DoctorRequest doctor) {
            mask(processInfo, doctor.settings().secrets(), doctor.command());
            return commands.get(DoctorCommand.class).run(doctor);
        }
        Invocation invocation = (Invocation) request;
        Settings settings = invocation.settings();
        mask(processInfo, settings.secrets(), invocation.job());
        exitCodes = settings.text(OptionTable.EXIT_CODES).map(ExitCodes::named).orElse(ExitCodes.STANDARD);
        return carryOut(invocation, commands);
    }

    private int carryOut(Invocation invocation, Commands commands) throws InterruptedException {
        return switch (invocation.command()) {
            case RUN -> commands.get(RunCommand.class).run(invocation);
            case PLAN -> commands.get(PlanCommand.class).run(invocation);
            case MANIFEST -> ManifestCommand.run(invocation);
            case SIMULATE -> commands.get(SimulateCommand.class).run(invocation, exitCodes);
            case CERTIFY -> commands.get(CertifyCommand.class).run(invocation);
            default -> commands.launch().run(invocation, exitCodes);
        };
    }

    /** The end by a signal before there was a job. */
    private static Ending stopped(Signals.ReceivedSignal signal, String how) {
        return new Ending(signal.exitCode(), "stopped by " + signal.title() + "; " + how);
    }

    /** After a stop request, a temporary refusal counts as the stop: nobody shall try again. */
    private Ending ending(ExitCode code, String message) {
        if (code == ExitCode.TEMPORARY) {
            signals.ifPresent(Signals::removeListener);
            Optional<Signals.ReceivedSignal> stop = stopRequest();
            if (stop.isPresent()) {
                return stopped(stop.get(), message);
            }
        }
        return new Ending(exitCodes.of(code.code()), message);
    }

    private Optional<Signals.ReceivedSignal> stopRequest() {
        return signals.flatMap(Signals::stopRequest);
    }

    private record Ending(int code, String reason) {

        String line() {
            return "exit " + code + ": " + reason;
        }
    }

    /** A plugin called {@code System.exit}. If a supervisor started this JVM, it reports the missing verdict and the plugin. */
    private void exitByPlugin(String plugin) {
        OptionalInt code = access.map(SupervisorAccess::abandon).orElse(OptionalInt.of(ExitCode.INTERNAL.code()));
        code.ifPresent(ours -> Console.sayAtOnce("exit " + ours + ": " + codeOf(plugin)
                + " has ended the launcher (System.exit). Report that to its author"));
        Runtime.getRuntime().halt(code.orElse(ExitCode.INTERNAL.code()));
    }

    private static void exitOnOom() {
        Runtime.getRuntime().halt(FULL_HEAP);
    }

    /** Masks secrets in all later output. */
    private void mask(ProcessInfo processInfo, Secrets secrets, List<String> job) {
        console.mask(secrets.mask(processInfo.environment().variables(), job));
    }

    private String describe(Throwable broken) {
        if (NoThread.isIn(broken)) {
            return NoThread.WORDS;
        }
        String suspect = plugins.flatMap(PluginHost::latest)
                .map(plugin -> ", or done by " + codeOf(plugin) + " that ran in it")
                .orElse("");
        return "an error in Muster" + suspect + ": " + broken + ". Please report it with these lines";
    }

    private static String codeOf(String plugin) {
        return "code of " + plugin;
    }

    /** Indents a line of a stack trace that comes from an exception's message: it must not look like a line of Muster. */
    private static String ofTrace(String line) {
        return line.startsWith("\t") || line.startsWith("Caused by: ") ? line : "\t" + line;
    }

    private int failed(ExitCode code, String message, Throwable cause) {
        if (code == ExitCode.INTERNAL) {
            StringWriter trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace));
            List<String> lines = trace.toString().lines().toList();
            console.say(lines.get(0));
            lines.subList(1, lines.size()).forEach(line -> console.say(ofTrace(line)));
        }
        return print(ending(code, message));
    }

    private int print(Ending ending) {
        console.say(ending.line());
        terminationLog.ifPresent(log -> log.write(List.of(ending.line())));
        return ending.code();
    }

    /** Prints a line without the console's thread. */
    private void printAtOnce(String line) {
        Console.sayAtOnce(line);
        terminationLog.ifPresent(log -> log.write(List.of(line)));
    }
}
