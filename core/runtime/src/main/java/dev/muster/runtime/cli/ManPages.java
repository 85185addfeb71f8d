package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.EngineDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The manual: {@code muster(1)}, and a page for each command, made from the tables that the help is made from.
 *
 * @param date of the pages: {@code 2026-01-31}
 */
record ManPages(List<EngineDescriptor> engines, String date) {

    private static final String NAME = "muster";
    private static final String SUMMARY = "start distributed training jobs as their platforms do";

    private static final Pattern LEADING_DOT = Pattern.compile("^[.]", Pattern.MULTILINE);

    /** The pages by the names of their files. */
    Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put(NAME + ".1", mainPage());
        for (Command command : Command.values()) {
            pages.put(NAME + "-" + command.word() + ".1", page(command));
        }
        return pages;
    }

    private String mainPage() {
        StringBuilder page = begin(NAME, SUMMARY, "[COMMAND] [OPTIONS] -- PROGRAM [ARGUMENTS]");
        text(
                page,
                "Run one muster on each node of a job. It reads what the platform says, starts the ranks, and ends with one exit"
                        + " code on all nodes.");
        section(page, "COMMANDS");
        for (Command command : Command.values()) {
            entry(page, bold(NAME + "-" + command.word()) + "(1)", command.summary());
        }
        section(page, "ENGINES");
        engines.forEach(engine -> entry(page, bold(engine.id()), engine.summary()));
        section(page, "EXIT STATUS");
        HelpPages.exitCodes().forEach((code, meaning) -> entry(page, bold(code), meaning));
        section(page, "ENVIRONMENT");
        text(page, HelpPages.SOURCES);
        entry(page, bold("MUSTER_LINK_SECRET"), "The secret that all nodes of the job know, or its file.");
        entry(page, bold("JAVA_HOME"), "A Java, where the package has none of its own.");
        entry(page, bold("NO_COLOR"), "If not empty, nothing is coloured but with --color always.");
        addExamples(page, Command.LAUNCH);
        return page.toString();
    }

    private String page(Command command) {
        StringBuilder page = begin(NAME + "-" + command.word(), command.summary(), command.arguments());
        text(page, "To " + command.summary() + ".");
        section(page, "OPTIONS");
        KnownOptions.ofMuster().optionsOf(command).forEach(option -> addOption(page, option, command));
        if (command.runsJobs()) {
            for (EngineDescriptor engine : engines) {
                page.append(".SS Options of the engine ")
                        .append(escaped(engine.id()))
                        .append('\n');
                engine.options().stream().map(Option::of).forEach(option -> addOption(page, option, command));
            }
        }
        addExamples(page, command);
        section(page, "SEE ALSO");
        page.append(bold(NAME)).append("(1)\n");
        return page.toString();
    }

    private StringBuilder begin(String title, String summary, String arguments) {
        StringBuilder page = new StringBuilder(".\\\" Made from the table of options.\n");
        page.append(".TH " + escaped(title.toUpperCase(Locale.ROOT)) + " 1 " + date + " Muster\n");
        section(page, "NAME");
        text(page, title + " - " + summary);
        section(page, "SYNOPSIS");
        page.append(bold(title.replace('-', ' '))).append('\n');
        text(page, arguments);
        section(page, "DESCRIPTION");
        return page;
    }

    private void addExamples(StringBuilder page, Command command) {
        section(page, "EXAMPLES");
        page.append(".nf\n");
        List<Optional<EngineDescriptor>> shown =
                command.runsJobs() ? engines.stream().map(Optional::of).toList() : List.of(Optional.empty());
        shown.stream()
                .flatMap(engine -> HelpPages.examples(command, engine).stream())
                .forEach(line -> page.append(escaped(line)).append('\n'));
        page.append(".fi\n");
    }

    private static void addOption(StringBuilder page, Option option, Command command) {
        String value =
                option.form().isSwitch() ? "" : " \\fI" + escaped(option.form().valueName()) + "\\fR";
        String variable = option.variable()
                .filter(any -> !command.isForLaunchers()
                        || Set.of(OptionTable.COLOR, OptionTable.LOG_DIR).contains(option))
                .map(name -> " [variable " + name + "]")
                .orElse("");
        entry(page, bold(option.flag()) + value, HelpPages.text(option, command) + variable);
    }

    private static void section(StringBuilder page, String title) {
        page.append(".SH ").append(title).append('\n');
    }

    /** @param left escaped */
    private static void entry(StringBuilder page, String left, String text) {
        page.append(".TP\n").append(left).append('\n');
        text(page, text);
    }

    /** Escapes a dot at the start of a line: troff would take the line for a request. */
    private static void text(StringBuilder page, String text) {
        StringBuilder lines = new StringBuilder();
        HelpPages.wrap(lines, new StringBuilder(), 0, escaped(text));
        page.append(LEADING_DOT.matcher(lines).replaceAll("\\\\&."));
    }

    private static String bold(String text) {
        return "\\fB" + escaped(text) + "\\fR";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("~", "\\(ti")
                .replace("^", "\\(ha");
    }
}
