package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.EngineSurvey;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.platform.PlatformSurvey;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Platform;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the command line: first whether the user asks for a text, then which job is meant. */
public record RequestReader(ProcessInfo processInfo, EngineCatalog catalog, PlatformCatalog platforms) {

    private static final String SHORT_HELP = "-h";
    private static final String EXAMPLE = " --engine ascend -- python3 train.py";
    private static final Set<Command> TEXTS = EnumSet.of(
            Command.HELP, Command.PS, Command.ENGINES, Command.PLATFORMS, Command.COMPLETION, Command.MANIFEST);

    /** @param plugins is told which plugin's code runs */
    public static RequestReader of(ProcessInfo processInfo, PluginListener plugins) {
        PluginJars jars = new PluginJars(processInfo.launcher().packageHome(), processInfo.pluginDirectory());
        return new RequestReader(processInfo, new EngineCatalog(jars, plugins), new PlatformCatalog(jars, plugins));
    }

    /** Whether a command line asks for a text only, so that nothing is started. */
    public static boolean isInformation(List<String> arguments) {
        return wantsHelp(arguments)
                || isAskedFor(arguments, OptionTable.VERSION.flag())
                || (!arguments.isEmpty()
                        && Command.of(arguments.get(0)).filter(TEXTS::contains).isPresent());
    }

    private static boolean wantsHelp(List<String> arguments) {
        return isAskedFor(arguments, OptionTable.HELP.flag())
                || isAskedFor(arguments, SHORT_HELP)
                || (!arguments.isEmpty() && arguments.get(0).equals(Command.HELP.word()));
    }

    /** @throws dev.muster.runtime.errors.MusterException when it cannot be understood */
    public Request read() {
        List<String> arguments = processInfo.arguments();
        if (wantsHelp(arguments)) {
            return new Request.Information(help());
        }
        if (isAskedFor(arguments, OptionTable.VERSION.flag())) {
            return new Request.Information(HelpPages.version());
        }
        CommandLine outline = CommandLineParser.parse(arguments, KnownOptions.ofMuster());
        if (outline.command() == Command.COMPLETION) {
            outline.refuseUnknown(KnownOptions.ofMuster());
            return new Request.Information(completion(outline.job()));
        }
        if (outline.command() == Command.ENGINES || outline.command() == Command.PLATFORMS) {
            outline.refuseUnknown(KnownOptions.ofMuster());
            boolean isJson =
                    settings(outline).text(OptionTable.FORMAT).orElseThrow().equals("json");
            return new Request.Information(outline.command() == Command.ENGINES ? engines(isJson) : platforms(isJson));
        }
        return outline.command() == Command.DOCTOR ? doctor(outline) : job(outline);
    }

    private Invocation job(CommandLine outline) {
        if (outline.job().isEmpty()) {
            SettingSources sources = SettingSources.gather(processInfo, outline.options());
            if (namedEngine(outline, sources).isPresent()) {
                KnownOptions known = engine(outline, sources).options();
                CommandLineParser.parse(processInfo.arguments(), known).refuseUnknown(known);
            }
            boolean isOfLauncher = outline.command() == Command.CERTIFY;
            throw MusterException.usage("there is no command to run: put the "
                    + (isOfLauncher ? "launcher" : "training command") + " after --, for example muster "
                    + outline.command().word() + (isOfLauncher ? " --engine pytorch-gpu -- torchrun" : EXAMPLE)
                    + "; see muster --help");
        }
        return invocation(outline);
    }

    /** The chosen engine. Without one, unknown options are refused first. */
    private static Optional<Setting> namedEngine(CommandLine outline, SettingSources sources) {
        Optional<Setting> named = sources.strongest(OptionTable.ENGINE);
        if (named.isEmpty()) {
            outline.refuseUnknown(KnownOptions.ofMuster());
        }
        return named;
    }

    /** Without an engine, the doctor checks this machine only. Without a command, it checks for a job of Python. */
    private DoctorRequest doctor(CommandLine outline) {
        SettingSources sources = SettingSources.gather(processInfo, outline.options());
        if (namedEngine(outline, sources).isEmpty()) {
            return new DoctorRequest(settings(outline), platforms, Optional.empty(), outline.job());
        }
        Invocation job = invocation(outline);
        return new DoctorRequest(job.settings(), platforms, Optional.of(job), outline.job());
    }

    /** The line is parsed twice: once to find the engine, and again when the engine's own options are known. */
    private Invocation invocation(CommandLine outline) {
        SettingSources sources = SettingSources.gather(processInfo, outline.options());
        LoadedEngine engine = engine(outline, sources);
        CommandLine line = CommandLineParser.parse(processInfo.arguments(), engine.options());
        line.refuseUnknown(engine.options());
        Settings settings = SettingsReader.read(
                sources.with(line.options()), engine.options(), line.command(), catalog::optionNames);
        List<String> warnings = new ArrayList<>(engine.warnings());
        if (line.command() != Command.CERTIFY) {
            PeerLauncher.warning(line, settings, processInfo.directory()).ifPresent(warnings::add);
        }
        List<String> job = line.job().isEmpty() ? DoctorRequest.USUAL : line.job();
        return new Invocation(line.command(), settings.warnedOf(warnings), line.options(), engine, platforms, job);
    }

    private LoadedEngine engine(CommandLine outline, SettingSources sources) {
        Optional<Setting> id = namedEngine(outline, sources);
        if (id.isPresent()) {
            return catalog.require(id.get().value(), id.get().origin());
        }
        throw MusterException.usage(
                "no engine is chosen: give " + OptionTable.ENGINE.usage() + "; known: " + catalog.known("ascend"));
    }

    private String completion(List<String> words) {
        List<String> names = platforms.platforms().stream().map(Platform::name).toList();
        return Stream.of(Completion.Shell.values())
                .filter(shell -> words.equals(List.of(shell.word())))
                .map(shell -> new Completion(catalog.descriptors(), names).script(shell))
                .findFirst()
                .orElseThrow(() -> MusterException.usage(
                        "muster completion needs the name of a shell: bash, zsh or fish, for example muster "
                                + Command.COMPLETION.word() + " bash"));
    }

    private String platforms(boolean isJson) {
        List<PlatformSurvey.Finding> findings = PlatformSurvey.of(processInfo, platforms);
        return isJson
                ? PluginLists.platformsAsJson(findings, platforms.problems())
                : PluginLists.platforms(findings, platforms.problems());
    }

    private String engines(boolean isJson) {
        EngineSurvey survey = catalog.survey();
        return isJson ? PluginLists.enginesAsJson(survey) : PluginLists.engines(survey);
    }

    private Settings settings(CommandLine outline) {
        return SettingsReader.read(
                SettingSources.gather(processInfo, outline.options()),
                KnownOptions.ofMuster(),
                outline.command(),
                catalog::optionNames);
    }

    /** Whether a flag is among the options. It counts even if the rest of the line is wrong. */
    private static boolean isAskedFor(List<String> arguments, String flag) {
        return arguments.stream()
                .takeWhile(argument -> !argument.equals(CommandLineParser.SEPARATOR))
                .anyMatch(flag::equals);
    }

    private String help() {
        Optional<String> engine = OptionTable.ENGINE.valueIn(processInfo.arguments());
        KnownOptions known = engine.isPresent()
                ? catalog.require(engine.get(), OptionTable.ENGINE.flag()).options()
                : KnownOptions.ofMuster();
        return new HelpPages(known).page(processInfo.arguments());
    }
}
