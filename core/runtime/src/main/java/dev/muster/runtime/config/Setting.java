package dev.muster.runtime.config;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.OptionValue;

/**
 * The value of an option and where it came from.
 *
 * @param name of the option
 * @param value as text, whatever its form; paths are absolute
 * @param origin for users: a flag, a variable, a file with a JSON pointer, or {@code default}
 * @param source the kind of origin
 */
public record Setting(String name, String value, String origin, Source source) {

    /** The kinds of origin, strongest first. */
    public enum Source {
        COMMAND_LINE,
        ENVIRONMENT,
        FILE,
        PLATFORM,
        DEFAULT;

        /** The code for a wrong value of this origin. */
        public ExitCode exitCode() {
            return this == COMMAND_LINE ? ExitCode.USAGE : ExitCode.CONFIGURATION;
        }
    }

    /**
     * An option as it stands on the command line, where its value is unchecked.
     *
     * @param origin how it was written: {@code --rank-table} or {@code -o rank-table}
     */
    public static Setting ofCommandLine(String name, String value, String origin) {
        return new Setting(name, value, origin, Source.COMMAND_LINE);
    }

    /** The platform's value of an option. */
    public static Setting ofPlatform(Option option, String value, String origin) {
        return new Setting(option.name(), value, origin, Source.PLATFORM);
    }

    /** The value of another option that follows from this setting, with the same origin. */
    public Setting alsoSaying(Option option, int number) {
        return new Setting(option.name(), Integer.toString(number), origin, source);
    }

    /** The setting as engines see it. */
    public OptionValue toOptionValue() {
        return new OptionValue(value, origin);
    }

    /** The default value of an option. */
    public static Setting ofDefault(Option option, String value) {
        return new Setting(option.name(), value, "default", Source.DEFAULT);
    }
}
