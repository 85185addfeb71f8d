package dev.muster.runtime.cli;

import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.PlatformCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a command line that runs, plans or simulates a job. The line is taken apart twice: once to find the engine, and once
 * more when the engine's own options are known.
 */
final class InvocationReader {

    private static final String EXAMPLE = " --engine ascend -- python3 train.py";

    private final ProcessInfo processInfo;
    private final EngineCatalog catalog;
    private final PlatformCatalog platforms;

    InvocationReader(ProcessInfo processInfo, EngineCatalog catalog, PlatformCatalog platforms) {
        this.processInfo = processInfo;
        this.catalog = catalog;
        this.platforms = platforms;
    }

    /** @param outline the command line without any engine's options */
    Invocation read(CommandLine outline) {
        if (outline.job().isEmpty()) {
            throw MusterException.usage("there is no command to run: put the training command after --, for example "
                    + "muster " + outline.command().word() + EXAMPLE + "; see muster --help");
        }
        SettingSources sources = SettingSources.gather(processInfo, outline.options());
        LoadedEngine engine = engine(outline, sources);
        CommandLine line = CommandLineParser.parse(processInfo.arguments(), engine.options());
        UnknownOptions.refuse(line, engine.options());
        Settings settings =
                SettingsReader.read(sources.with(line.options()), engine.options(), line.command(), catalog);
        List<String> warnings = new ArrayList<>(engine.warnings());
        PeerLauncher.warning(line, settings).ifPresent(warnings::add);
        return new Invocation(
                line.command(), settings.warnedOf(warnings), line.options(), engine, platforms, line.job());
    }

    private LoadedEngine engine(CommandLine outline, SettingSources sources) {
        Optional<Setting> id = sources.strongest(OptionTable.ENGINE);
        if (id.isPresent()) {
            return catalog.require(id.get().value(), id.get().origin());
        }
        UnknownOptions.refuse(outline, KnownOptions.ofMuster());
        throw MusterException.usage(
                "no engine is chosen: give " + OptionTable.ENGINE.usage() + "; known: " + catalog.known("ascend"));
    }
}
