package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code muster ps} or {@code muster stop}, read from the command line alone: the variables of a container are about the job in it.
 *
 * @param isStop whether it is {@code stop}
 * @param isJson whether machines read the list
 * @param job whose launcher is to be stopped
 * @param grace of that stop; empty: the launcher's own
 * @param isAll whether all launchers are to be stopped
 * @param user whose launchers are to be stopped, by name or number
 */
public record LauncherRequest(
        boolean isStop,
        boolean isJson,
        Optional<String> job,
        Optional<Duration> grace,
        boolean isAll,
        Optional<String> user) {

    /** Whether a command line is that of one of these. */
    public static boolean isMeant(List<String> arguments) {
        return !arguments.isEmpty()
                && Command.of(arguments.get(0)).filter(Command::isForLaunchers).isPresent();
    }

    /** What is to be read instead, where the user has asked for that. */
    public static Optional<String> information(List<String> arguments) {
        if (arguments.contains(OptionTable.HELP.flag()) || arguments.contains("-h")) {
            return Optional.of(new HelpPages(KnownOptions.ofMuster()).page(HelpRequest.of(arguments)));
        }
        return arguments.contains(OptionTable.VERSION.flag()) ? Optional.of(Versions.text()) : Optional.empty();
    }

    /** @throws MusterException when it cannot be understood */
    public static LauncherRequest read(List<String> arguments) {
        CommandLine line = CommandLineParser.parse(arguments, KnownOptions.ofMuster());
        line.refuseUnknown(KnownOptions.ofMuster());
        if (arguments.contains(CommandLineParser.SEPARATOR)) {
            throw MusterException.usage("muster " + line.command().word() + " takes no command");
        }
        for (Setting given : line.options()) {
            check(KnownOptions.ofMuster().find(given.name()).orElseThrow(), given);
        }
        return new LauncherRequest(
                line.command() == Command.STOP,
                line.value(OptionTable.FORMAT).filter("json"::equals).isPresent(),
                line.value(OptionTable.JOB),
                line.value(OptionTable.GRACE).map(Durations::parse),
                line.value(OptionTable.EVERY_LAUNCHER).filter("true"::equals).isPresent(),
                line.value(OptionTable.USER));
    }

    private static void check(Option option, Setting given) {
        option.form().problem(given.value()).ifPresent(problem -> {
            throw MusterException.usage(given.origin() + ": " + Printable.quote(given.value()) + " " + problem);
        });
    }
}
