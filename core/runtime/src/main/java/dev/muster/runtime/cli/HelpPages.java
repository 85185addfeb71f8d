package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.EngineDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pages of the help, made from the options that are known.
 *
 * @param known with the options of an engine, if they are to be shown
 */
record HelpPages(KnownOptions known) {

    /** The width of a screen, less a blank and a backslash at the end of a line that continues. */
    private static final int WIDTH = 78;

    private static final int INDENT = 2;
    private static final int OPTION_COLUMN = 26;
    private static final int WORD_COLUMN = 14;

    static final String SOURCES = "A setting comes, strongest first, from the command line, a variable such as"
            + " MUSTER_INPUT_TIMEOUT, a key such as \"input-timeout\" of the configuration file, the platform. Durations: "
            + Durations.FORM + ".";

    private static final String JOB = "--engine ascend -- python3 train.py\n";

    /** The page that the user asks for. It ignores what it does not understand: users who need help make mistakes. */
    String page(List<String> arguments) {
        Command command = command(arguments);
        return command == Command.HELP ? firstPage() : page(command);
    }

    private static Command command(List<String> arguments) {
        List<String> words =
                arguments.stream().takeWhile(word -> !word.startsWith("-")).toList();
        if (words.size() > 1 && words.get(0).equals(Command.HELP.word())) {
            return CommandLineParser.command(words.get(1));
        }
        boolean isOfEngine = OptionTable.ENGINE.valueIn(arguments).isPresent();
        return words.stream()
                .findFirst()
                .flatMap(Command::of)
                .filter(named -> named != Command.HELP)
                .orElse(isOfEngine ? Command.LAUNCH : Command.HELP);
    }

    private String firstPage() {
        StringBuilder page = new StringBuilder();
        page.append("Muster boots distributed training jobs as their platforms do.\n\n");
        page.append("  muster " + JOB);
        page.append("  muster plan " + JOB);
        page.append("  muster simulate --nodes 2 --cards 4 " + JOB);
        page.append("\nCommands:\n");
        for (Command command : Command.values()) {
            add(page, WORD_COLUMN, command.word(), command.summary());
        }
        page.append("\nThe most used options; muster COMMAND --help lists all of a command:\n");
        for (Option option : known.optionsOf(Command.LAUNCH)) {
            if (option.is(Option.Trait.ON_FIRST_PAGE)) {
                add(page, OPTION_COLUMN, option.usage(), text(option, Command.LAUNCH));
            }
        }
        page.append("\nExit codes:\n");
        exitCodes().forEach((code, meaning) -> add(page, WORD_COLUMN, code, meaning));
        return page.toString();
    }

    private String page(Command command) {
        StringBuilder page = new StringBuilder();
        page.append("muster " + command.word() + " " + command.arguments() + "\n");
        wrap(page, new StringBuilder(), 0, "To " + command.summary() + ".");
        addExamples(page, command);
        addOptions(page, command, false);
        addOptions(page, command, true);
        if (command.runsJobs()) {
            page.append('\n');
            wrap(page, new StringBuilder(), 0, SOURCES);
        }
        return page.toString();
    }

    /** @param areOfEngine true: the options that the engine declares; false: the others */
    private void addOptions(StringBuilder page, Command command, boolean areOfEngine) {
        List<Option> options = known.optionsOf(command).stream()
                .filter(option -> option.is(Option.Trait.OF_ENGINE) == areOfEngine)
                .toList();
        page.append(options.isEmpty() ? "" : areOfEngine ? "\nOptions of the engine:\n" : "\nOptions:\n");
        options.forEach(option -> add(page, OPTION_COLUMN, option.usage(), text(option, command)));
    }

    private void addExamples(StringBuilder page, Command command) {
        page.append("\nExamples:\n");
        for (String line : examples(command, known.engine())) {
            StringBuilder shown = new StringBuilder();
            wrap(shown, new StringBuilder(" ".repeat(INDENT)), 3 * INDENT, line);
            page.append(shown.toString().stripTrailing().replace("\n", " \\\n")).append('\n');
        }
    }

    /** Command lines that help and manual show. */
    static List<String> examples(Command command, Optional<EngineDescriptor> engine) {
        List<String> ofEngine = engine.map(EngineDescriptor::examples).orElse(List.of());
        String id = engine.map(EngineDescriptor::id).orElse("ascend");
        boolean areMeant = command == Command.LAUNCH || command == Command.PLAN || command == Command.DOCTOR;
        if (!areMeant || ofEngine.isEmpty()) {
            return List.of(command.example(id));
        }
        String start = command == Command.LAUNCH ? "muster " : "muster " + command.word() + " ";
        return ofEngine.stream()
                .map(example -> start + OptionTable.ENGINE.flag() + " " + id + " " + example)
                .toList();
    }

    /** The text of {@code muster --version}. */
    static String version() {
        return "muster " + SpiVersion.ofMuster().orElse("(not packaged)") + ", SPI " + SpiVersion.ours() + ", Java "
                + ProcessInfo.javaVersion() + "\n";
    }

    static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "all ranks succeeded");
        codes.put("1-255", "the code of the rank that failed first; 128+n: signal n ended it");
        codes.put("129, 130, 143", "the launcher got SIGHUP, SIGINT, SIGTERM");
        for (ExitCode code : ExitCode.values()) {
            codes.put(Integer.toString(code.code()), code.meaning());
        }
        return codes;
    }

    /** What an option does, with its default. */
    static String text(Option option, Command command) {
        if (command == Command.STOP && option.equals(OptionTable.GRACE)) {
            return "from TERM to KILL in this stop (the launcher's own)";
        }
        if (command == Command.MANIFEST && option.equals(OptionTable.PLATFORM)) {
            return "for which platform: " + String.join(", ", OptionTable.MANIFEST_PLATFORMS);
        }
        boolean quiet = option.defaultValue().isEmpty() || option.usage().equals(option.flag());
        return quiet
                ? option.help()
                : option.help() + " (" + option.defaultValue().get() + ")";
    }

    /** One entry: what is explained on the left, the explanation on the right, wrapped. */
    private static void add(StringBuilder page, int column, String left, String text) {
        String start = Columns.pad(" ".repeat(INDENT) + left, column);
        if (start.endsWith(" ")) {
            wrap(page, new StringBuilder(start), column, text);
        } else {
            page.append(start).append('\n');
            wrap(page, new StringBuilder(" ".repeat(column)), column, text);
        }
    }

    /** @param line what already stands in the first line */
    static void wrap(StringBuilder page, StringBuilder line, int column, String text) {
        int empty = line.length();
        for (String word : text.split(" ", -1)) {
            if (line.length() > empty && line.length() + 1 + word.length() > WIDTH) {
                page.append(line).append('\n');
                line.setLength(0);
                line.append(" ".repeat(column));
                empty = column;
            }
            line.append(line.length() > empty ? " " : "").append(word);
        }
        page.append(line).append('\n');
    }
}
