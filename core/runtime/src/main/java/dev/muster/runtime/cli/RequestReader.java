package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.EngineSurvey;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.platform.PlatformSurvey;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Understands the command line: first whether the user wants to read something, then which job is meant. */
public final class RequestReader {

    private static final String SHORT_HELP = "-h";
    private static final Set<Command> TEXTS =
            EnumSet.of(Command.HELP, Command.PS, Command.ENGINES, Command.PLATFORMS, Command.MANIFEST);

    private final ProcessInfo processInfo;
    private final EngineCatalog catalog;
    private final PlatformCatalog platforms;

    public RequestReader(ProcessInfo processInfo, EngineCatalog catalog, PlatformCatalog platforms) {
        this.processInfo = processInfo;
        this.catalog = catalog;
        this.platforms = platforms;
    }

    /** Whether a command line asks for a text only, so that nothing is started. */
    public static boolean isInformation(List<String> arguments) {
        return wantsHelp(arguments)
                || isAskedFor(arguments, OptionTable.VERSION.flag())
                || (!arguments.isEmpty()
                        && Command.of(arguments.get(0)).filter(TEXTS::contains).isPresent());
    }

    private static boolean wantsHelp(List<String> arguments) {
        return isAskedFor(arguments, OptionTable.HELP.flag()) || isAskedFor(arguments, SHORT_HELP);
    }

    /** @throws dev.muster.runtime.errors.MusterException when it cannot be understood */
    public Request read() {
        List<String> arguments = processInfo.arguments();
        if (wantsHelp(arguments)) {
            return new Request.Information(help());
        }
        if (isAskedFor(arguments, OptionTable.VERSION.flag())) {
            return new Request.Information(Versions.text());
        }
        if (!arguments.isEmpty() && arguments.get(0).equals(Command.HELP.word())) {
            return new Request.Information(help());
        }
        CommandLine outline = CommandLineParser.parse(arguments, KnownOptions.ofMuster());
        if (outline.command() == Command.ENGINES) {
            UnknownOptions.refuse(outline, KnownOptions.ofMuster());
            return engines(outline);
        }
        if (outline.command() == Command.PLATFORMS) {
            UnknownOptions.refuse(outline, KnownOptions.ofMuster());
            return new Request.Information(platforms(outline));
        }
        return new Request.Job(new InvocationReader(processInfo, catalog, platforms).read(outline));
    }

    private String platforms(CommandLine outline) {
        List<PlatformSurvey.Finding> findings = PlatformSurvey.of(processInfo, platforms);
        return isJson(settings(outline))
                ? PlatformList.json(findings, platforms.problems())
                : PlatformList.text(findings, platforms.problems());
    }

    private Request engines(CommandLine outline) {
        Settings settings = settings(outline);
        EngineSurvey survey = catalog.survey();
        return new Request.Information(isJson(settings) ? EngineList.json(survey) : EngineList.text(survey));
    }

    private Settings settings(CommandLine outline) {
        return SettingsReader.read(
                SettingSources.gather(processInfo, outline.options()),
                KnownOptions.ofMuster(),
                outline.command(),
                catalog);
    }

    private static boolean isJson(Settings settings) {
        return settings.text(OptionTable.FORMAT).orElseThrow().equals("json");
    }

    /** Whether a flag stands among the options. It is obeyed even when the rest of the line is wrong. */
    private static boolean isAskedFor(List<String> arguments, String flag) {
        for (String argument : arguments) {
            if (argument.equals(CommandLineParser.SEPARATOR)) {
                return false;
            }
            if (argument.equals(flag)) {
                return true;
            }
        }
        return false;
    }

    private String help() {
        HelpRequest request = HelpRequest.of(processInfo.arguments());
        KnownOptions known = request.engine().isPresent()
                ? catalog.require(request.engine().get(), OptionTable.ENGINE.flag())
                        .options()
                : KnownOptions.ofMuster();
        return new HelpPages(known).page(request);
    }
}
