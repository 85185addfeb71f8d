package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Evidence;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * What this machine, the launcher's environment and the user say.
 *
 * @param files of this machine
 * @param settings of the user; empty: none were read
 * @param commands gives what a command prints; empty when it fails
 */
public record LocalEvidence(
        SortedMap<String, String> environment,
        NodeInfo machine,
        MachineFiles files,
        Optional<EngineDescriptor> engine,
        boolean startsProcesses,
        Optional<Settings> settings,
        Function<List<String>, String> commands)
        implements Evidence {

    /** The evidence on this machine. */
    public static LocalEvidence here(
            Environment variables,
            Optional<EngineDescriptor> engine,
            boolean startsProcesses,
            Optional<Settings> settings,
            Function<List<String>, String> commands) {
        MachineFiles files = new MachineFiles(Path.of("/"));
        NodeInfo machine = new NodeInfoReader(files, variables).read();
        return new LocalEvidence(variables.variables(), machine, files, engine, startsProcesses, settings, commands);
    }

    /** The same with other settings of the user. */
    LocalEvidence with(Settings said) {
        return new LocalEvidence(environment, machine, files, engine, startsProcesses, Optional.of(said), commands);
    }

    @Override
    public Optional<OptionValue> option(String name) {
        return settings.flatMap(all -> all.given(name)).map(Setting::toOptionValue);
    }

    @Override
    public Optional<String> text(String path) {
        return files.text(path);
    }

    @Override
    public boolean exists(String path) {
        return files.exists(path);
    }

    @Override
    public List<String> names(String directory) {
        return files.names(directory);
    }

    @Override
    public String output(List<String> command) {
        return commands.apply(command);
    }
}
