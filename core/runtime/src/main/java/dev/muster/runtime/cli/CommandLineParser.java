package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses a command line in one loop that ends at {@code --}. An unknown flag is only recorded, since it may belong to an engine that is not
 * known yet. The next word counts as its value, unless it looks like a flag.
 */
final class CommandLineParser {

    /** What ends the options. */
    static final String SEPARATOR = "--";

    private final List<String> arguments;
    private final KnownOptions known;
    private final Command command;
    private final List<Setting> options = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    private int next;

    private CommandLineParser(List<String> arguments, KnownOptions known) {
        this.arguments = arguments;
        this.known = known;
        this.command = command();
    }

    /** @throws MusterException for a line that cannot be understood, whatever the values mean */
    static CommandLine parse(List<String> arguments, KnownOptions known) {
        return new CommandLineParser(arguments, known).parse();
    }

    private CommandLine parse() {
        while (next < arguments.size()) {
            String argument = arguments.get(next++);
            if (argument.equals(SEPARATOR)) {
                return new CommandLine(command, options, unknown, arguments.subList(next, arguments.size()));
            }
            boolean isWord = argument.length() < 2 || argument.charAt(0) != '-';
            if (isWord && command.takesWords()) {
                words.add(argument);
            } else if (isWord) {
                if (!unknown.isEmpty()) {
                    // Reported with the unknown option before it, once the engine's options are known.
                    return new CommandLine(command, options, unknown, arguments.subList(next - 1, arguments.size()));
                }
                throw strayWord(argument);
            } else {
                flag(argument);
            }
        }
        return new CommandLine(command, options, unknown, words);
    }

    private Command command() {
        if (arguments.isEmpty() || arguments.get(0).startsWith("-")) {
            return Command.LAUNCH;
        }
        next = 1;
        return command(arguments.get(0));
    }

    /** @throws MusterException when it is none of Muster's commands */
    static Command command(String word) {
        return Command.of(word)
                .orElseThrow(() -> MusterException.usage(Printable.quote(word)
                        + " is not a command of Muster" + Nearest.suggestion(word, Command.words())
                        + "; a training command stands after --: muster --engine E -- " + Printable.escape(word)));
    }

    private void flag(String argument) {
        int equals = argument.indexOf('=');
        String flag = equals < 0 ? argument : argument.substring(0, equals);
        Optional<Option> option = optionOf(flag);
        if (option.isEmpty()) {
            unknown.add(flag);
            if (equals < 0 && nextLooksLikeValue()) {
                next++;
            }
            return;
        }
        if (!option.get().belongsTo(command)) {
            throw elsewhere(option.get());
        }
        String value = equals < 0 ? value(option.get()) : argument.substring(equals + 1);
        if (option.get().name().equals(OptionTable.ENGINE_OPTION.name())) {
            assignment(value);
        } else {
            add(Setting.ofCommandLine(option.get().name(), value, flag), option.get());
        }
    }

    private String value(Option option) {
        if (option.form().isSwitch()) {
            return switchValue(option);
        }
        if (next == arguments.size()
                || arguments.get(next).equals(SEPARATOR)
                || optionOf(arguments.get(next).split("=", 2)[0]).isPresent()) {
            throw MusterException.usage(option.flag() + " needs a value: " + option.usage());
        }
        return arguments.get(next++);
    }

    /** An engine's switch may be on by default, so it can have a value, as with {@code -o NAME=VALUE}. */
    private String switchValue(Option option) {
        boolean hasValue = option.is(Option.Trait.OF_ENGINE)
                && next < arguments.size()
                && option.form().problem(arguments.get(next)).isEmpty();
        return hasValue ? arguments.get(next++) : "true";
    }

    /** The value of {@code -o}: an option of the engine with its value. */
    private void assignment(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw MusterException.usage(OptionTable.ENGINE_OPTION.flag() + ": " + Printable.quote(text) + " is not "
                    + OptionTable.ENGINE_OPTION.form().valueName());
        }
        String name = text.substring(0, equals);
        String written = OptionTable.ENGINE_OPTION.flag() + " " + Printable.escape(name);
        Optional<Option> option = known.find(name);
        if (option.isEmpty()) {
            unknown.add(written);
        } else if (KnownOptions.ofMuster().find(name).isPresent()) {
            throw MusterException.usage(written + ": that is no option of an engine; write "
                    + option.get().usage());
        } else {
            add(Setting.ofCommandLine(name, text.substring(equals + 1), written), option.get());
        }
    }

    private void add(Setting given, Option option) {
        for (Setting earlier : options) {
            if (earlier.name().equals(given.name()) && !option.is(Option.Trait.REPEATABLE)) {
                throw MusterException.usage(option.flag() + " is given twice (" + earlier.origin() + ", then "
                        + given.origin() + "): leave one out");
            }
        }
        options.add(given);
    }

    private boolean nextLooksLikeValue() {
        return next < arguments.size() && !arguments.get(next).startsWith("-");
    }

    private Optional<Option> optionOf(String flag) {
        int dashes = flag.startsWith("--") ? 2 : 1;
        Optional<Option> option = flag.length() > dashes ? known.find(flag.substring(dashes)) : Optional.empty();
        return option.isPresent() && option.get().flag().equals(flag) ? option : Optional.empty();
    }

    private MusterException elsewhere(Option option) {
        String words = Stream.of(Command.values())
                .filter(option::belongsTo)
                .map(other -> "muster " + other.word())
                .collect(Collectors.joining(" and "));
        return MusterException.usage(option.flag() + " belongs to " + words + ", not to muster " + command.word()
                + Nearest.suggestion(option.flag(), known.longFlagsOf(command)));
    }

    private MusterException strayWord(String word) {
        if (Command.of(word).isPresent()) {
            return MusterException.usage("the command " + word + " must come first: muster " + word + " ...");
        }
        String hint = command.runsJobs()
                ? "the training command stands after --: muster " + command.word() + " --engine E -- "
                        + Printable.escape(word)
                : "muster " + command.word() + " takes no words";
        return MusterException.usage("there is no option " + Printable.quote(word) + "; " + hint);
    }
}
