package dev.muster.runtime.config;

import dev.muster.spi.EngineOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One row of the {@link OptionTable}. From it follow the flag, the variable, the key in the configuration file and the help.
 *
 * @param name the key in the configuration file, for example {@code input-timeout}
 * @param commands the commands that it belongs to
 * @param defaultValue the value if no source gives one; empty: the option is then absent, or its default depends on others
 * @param text gives the help: one line, without a full stop
 */
public record Option(
        String name,
        ValueForm form,
        Set<Command> commands,
        Optional<String> defaultValue,
        Supplier<String> text,
        Set<Trait> traits) {

    /** What is special about an option. */
    public enum Trait {
        /** May be given several times; the values of all sources count. */
        REPEATABLE,
        /** Has no variable and no key in the configuration file. */
        ONLY_ON_COMMAND_LINE,
        /** Has no key in the configuration file. */
        NOT_IN_FILE,
        /** Declared by the chosen engine. */
        OF_ENGINE,
        /** Shown on the first page of the help. */
        ON_FIRST_PAGE
    }

    private static final int MOST = 999_999_999;

    /** @throws IllegalArgumentException when the default value does not have the form */
    public Option {
        Optional<String> problem = defaultValue.flatMap(form::problem);
        if (problem.isPresent()) {
            throw new IllegalArgumentException(
                    "the default value " + defaultValue.get() + " of option " + name + " " + problem.get());
        }
    }

    /** The option of an engine, as a row of the table. */
    public static Option of(EngineOption option) {
        return new Option(
                option.name(),
                form(option),
                OptionTable.JOBS,
                option.defaultValue(),
                option::description,
                EnumSet.of(Trait.OF_ENGINE));
    }

    /** What its value looks like for a command: {@code muster run} takes hosts as ssh does. */
    ValueForm form(Command command) {
        return command == Command.RUN && name.equals(OptionTable.HOSTS.name()) ? ValueForm.SSH_HOST_LIST : form;
    }

    /** How it is written on the command line. */
    public String flag() {
        return name.length() == 1 ? "-" + name : "--" + name;
    }

    /** The help: one line, without a full stop. */
    public String help() {
        return text.get();
    }

    /** The flag with its value, for the help. */
    public String usage() {
        return form.isSwitch() ? flag() : flag() + " " + form.valueName();
    }

    /** The words of a command line that give it a value. A switch of Muster that is off needs none. */
    public List<String> words(String value) {
        boolean isAlone = form.isSwitch() && !is(Trait.OF_ENGINE);
        if (isAlone) {
            return value.equals("true") ? List.of(flag()) : List.of();
        }
        return List.of(flag(), value);
    }

    /** Its value on a command line, even if other parts of that line are wrong. */
    public Optional<String> valueIn(List<String> arguments) {
        String before = "";
        for (String argument : arguments) {
            if (argument.equals("--")) {
                break;
            }
            if (argument.startsWith(flag() + "=")) {
                return Optional.of(argument.substring(flag().length() + 1));
            }
            if (before.equals(flag()) && !argument.startsWith("-")) {
                return Optional.of(argument);
            }
            before = argument;
        }
        return Optional.empty();
    }

    /** The variable that sets it, where one does. */
    public Optional<String> variable() {
        return is(Trait.ONLY_ON_COMMAND_LINE)
                ? Optional.empty()
                : Optional.of(OptionTable.VARIABLE_PREFIX
                        + name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Whether the configuration file may set it. */
    boolean isKey() {
        return !is(Trait.ONLY_ON_COMMAND_LINE) && !is(Trait.NOT_IN_FILE);
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    public boolean belongsTo(Command command) {
        boolean isHeld = command == Command.CERTIFY && is(Trait.OF_ENGINE);
        return isHeld || commands.contains(command);
    }

    private static ValueForm form(EngineOption option) {
        return switch (option.kind()) {
            case TEXT -> ValueForm.text("TEXT");
            case PATH -> ValueForm.path("PATH");
            case COUNT -> ValueForm.number("N", 1, MOST);
            case DURATION -> ValueForm.DURATION;
            case SWITCH -> ValueForm.SWITCH;
            case CHOICE -> ValueForm.choice(option.choices().toArray(new String[0]));
        };
    }
}
