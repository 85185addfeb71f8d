package dev.muster.runtime.app;

import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Launcher;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The launcher's commands in this JVM. This JVM gets no signals. */
record CommandsHere(RequestReader requests, Commands commands) {

    static CommandsHere of(List<String> arguments, Map<String, String> environment, Path directory, Console console) {
        return of(arguments, environment, directory, Optional.empty(), console, () -> {
            throw new IllegalStateException("nothing is started here");
        });
    }

    /**
     * The commands of a package.
     *
     * @param home of the package, if there is one
     * @param supervisor called when the first process is to be started
     */
    static CommandsHere of(
            List<String> arguments,
            Map<String, String> environment,
            Path directory,
            Optional<Path> home,
            Console console,
            Supplier<ProcessSupervisor> supervisor) {
        ProcessInfo processInfo = new ProcessInfo(
                arguments,
                Environment.of(environment),
                directory,
                ProcessHandle.current().pid(),
                new Launcher(home, Path.of(System.getProperty("java.home")), List.of()),
                Optional.empty(),
                List.of());
        RequestReader requests = RequestReader.of(processInfo, PluginListener.NOBODY);
        Signals signals = Signals.delivered();
        Commands commands = new Commands(
                requests.processInfo(), console, signals, supervisor, () -> Main.listening(supervisor.get(), signals));
        return new CommandsHere(requests, commands);
    }
}
