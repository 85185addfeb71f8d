package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ValueForm;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.TextResource;
import dev.muster.spi.EngineDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The script that completes command lines in a shell, with a table in it. A row is a command or an option: its name, its commands, its
 * engine, its values, its help.
 */
record Completion(List<EngineDescriptor> engines, List<String> platforms) {

    /** An empty column. Depending on the column it means a switch, all commands, or Muster itself. */
    private static final String NOTHING = "-";

    private static final String TABLE = "@TABLE@";

    /** The shells that there is a script for. */
    enum Shell {
        BASH("'\\''"),
        ZSH("'\\''"),
        FISH("\\'");

        private final String quote;

        /** @param quote what a single quote is between single quotes */
        Shell(String quote) {
            this.quote = quote;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String quoted(String text) {
            String safe = this == FISH ? text.replace("\\", "\\\\") : text;
            return safe.replace("'", quote);
        }
    }

    String script(Shell shell) {
        return TextResource.read(Completion.class, "completion." + shell.word()).replace(TABLE, shell.quoted(table()));
    }

    private String table() {
        List<String> rows = new ArrayList<>();
        for (Command command : Command.values()) {
            rows.add(row(command.word(), NOTHING, NOTHING, words(command), command.summary()));
        }
        for (Option option : KnownOptions.ofMuster().options()) {
            rows.add(row(option, NOTHING, values(option)));
        }
        rows.add(row(
                OptionTable.PLATFORM.flag(),
                Command.MANIFEST.word(),
                NOTHING,
                String.join(" ", OptionTable.MANIFEST_PLATFORMS),
                HelpPages.text(OptionTable.PLATFORM, Command.MANIFEST)));
        for (EngineDescriptor engine : engines) {
            engine.options().stream()
                    .map(Option::of)
                    .forEach(option -> rows.add(row(option, engine.id(), values(option))));
        }
        return String.join("\n", rows);
    }

    private static String row(Option option, String engine, String values) {
        String commands = Stream.of(Command.values())
                .filter(option::belongsTo)
                .filter(command -> command != Command.MANIFEST || !option.equals(OptionTable.PLATFORM))
                .map(Command::word)
                .collect(Collectors.joining(","));
        return row(option.flag(), commands, engine, values, option.help());
    }

    private static String row(String... columns) {
        return Stream.of(columns)
                .map(column -> column.isEmpty() ? NOTHING : Printable.escape(column))
                .collect(Collectors.joining("\t"));
    }

    private static String words(Command command) {
        return switch (command) {
            case HELP -> String.join(" ", Command.words());
            case COMPLETION -> Stream.of(Shell.values()).map(Shell::word).collect(Collectors.joining(" "));
            default -> NOTHING;
        };
    }

    /** The possible values, else the kind of value: a word in capital letters. */
    private String values(Option option) {
        ValueForm form = option.form();
        if (option.equals(OptionTable.ENGINE)) {
            return engines.stream().map(EngineDescriptor::id).distinct().collect(Collectors.joining(" "));
        }
        if (option.equals(OptionTable.PLATFORM)) {
            return "auto " + String.join(" ", platforms);
        }
        if (option.equals(OptionTable.ENGINE_OPTION)) {
            return "ASSIGNMENT";
        }
        if (!form.choices().isEmpty()) {
            return String.join(" ", form.choices());
        }
        if (form.kind() == ValueForm.Kind.PATH) {
            return form.valueName().equals("DIR") ? "DIR" : "FILE";
        }
        return form.isSwitch() ? NOTHING : "TEXT";
    }
}
