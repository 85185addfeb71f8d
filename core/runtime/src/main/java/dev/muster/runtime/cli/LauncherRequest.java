package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A command about running launchers, such as {@code muster ps}. It is read from the command line only: the variables of a container
 * describe the job in it.
 */
public final class LauncherRequest {

    private final CommandLine line;

    private LauncherRequest(CommandLine line) {
        this.line = line;
    }

    /** Whether a command line is such a command. */
    public static boolean isRequested(List<String> arguments) {
        return !arguments.isEmpty()
                && Command.of(arguments.get(0)).filter(Command::isForLaunchers).isPresent();
    }

    /** Help or the version, if the user asks for it. */
    public static Optional<String> information(List<String> arguments) {
        if (arguments.contains(OptionTable.HELP.flag()) || arguments.contains("-h")) {
            return Optional.of(new HelpPages(KnownOptions.ofMuster()).page(arguments));
        }
        return arguments.contains(OptionTable.VERSION.flag()) ? Optional.of(HelpPages.version()) : Optional.empty();
    }

    /** @throws MusterException when it cannot be understood */
    public static LauncherRequest read(List<String> arguments) {
        CommandLine line = CommandLineParser.parse(arguments, KnownOptions.ofMuster());
        line.refuseUnknown(KnownOptions.ofMuster());
        if (arguments.contains(CommandLineParser.SEPARATOR)) {
            throw MusterException.usage("muster " + line.command().word() + " takes no command");
        }
        for (Setting given : line.options()) {
            Option option = KnownOptions.ofMuster().find(given.name()).orElseThrow();
            option.form().problem(given.value()).ifPresent(problem -> {
                throw Settings.refusal(given, problem);
            });
        }
        return new LauncherRequest(line);
    }

    public Command command() {
        return line.command();
    }

    /**
     * The words after the command, read as ranks.
     *
     * @return empty: all ranks
     * @throws MusterException when they are no ranks
     */
    public BitSet ranks() {
        String words = String.join(",", line.job());
        return words.isEmpty()
                ? new BitSet()
                : NumberList.ranks(words)
                        .orElseThrow(
                                () -> MusterException.usage(Printable.quote(words) + " is not " + NumberList.RANKS));
    }

    /** The value of an option, if it was given. */
    public Optional<String> value(Option option) {
        return line.options().stream()
                .filter(given -> given.name().equals(option.name()))
                .map(Setting::value)
                .findFirst();
    }

    /** Whether a switch was given. */
    public boolean has(Option option) {
        return value(option).filter("true"::equals).isPresent();
    }

    /** Whether machines read the answer. */
    public boolean isJson() {
        return value(OptionTable.FORMAT).filter("json"::equals).isPresent();
    }

    /** The job whose launcher is meant. */
    public Optional<String> job() {
        return value(OptionTable.JOB);
    }

    /** The grace of a stop; empty: the launcher's own. */
    public Optional<Duration> grace() {
        return value(OptionTable.GRACE).map(Durations::parse);
    }
}
