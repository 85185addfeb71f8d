package dev.muster.testkit;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Evidence;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Evidence that was recorded in a real job, and what the platform must tell from it.
 *
 * @param name the name of the recording, for messages
 * @param environment its variables
 * @param files texts by their absolute paths
 * @param commands what commands print there, by their words
 * @param tells what the platform must tell: values of options, and {@code hosts} with commas between their names
 * @since 0.2
 */
public record RecordedEvidence(
        String name,
        SortedMap<String, String> environment,
        Map<String, String> files,
        Map<List<String>, String> commands,
        Map<String, String> tells)
        implements Evidence {

    public RecordedEvidence {
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        files = Map.copyOf(files);
        commands = Map.copyOf(commands);
        tells = Map.copyOf(tells);
    }

    /** A recording of variables only. */
    public static RecordedEvidence of(String name, Map<String, String> environment, Map<String, String> tells) {
        return new RecordedEvidence(name, new TreeMap<>(environment), Map.of(), Map.of(), tells);
    }

    /** The same with the output of a command. */
    public RecordedEvidence withCommand(List<String> words, String output) {
        Map<List<String>, String> more = new HashMap<>(commands);
        more.put(words, output);
        return new RecordedEvidence(name, environment, files, more, tells);
    }

    /** The same with another environment. */
    RecordedEvidence with(String other, Map<String, String> variables) {
        return new RecordedEvidence(other, new TreeMap<>(variables), files, commands, tells);
    }

    @Override
    public NodeInfo machine() {
        return new NodeInfo("host-0", List.of("10.0.0.1", "127.0.0.1"), 1000, Optional.of("/home/user"), 8);
    }

    @Override
    public Optional<EngineDescriptor> engine() {
        return Optional.empty();
    }

    @Override
    public Optional<OptionValue> option(String option) {
        return Optional.empty();
    }

    @Override
    public boolean startsProcesses() {
        return true;
    }

    @Override
    public Optional<String> text(String path) {
        return Optional.ofNullable(files.get(path));
    }

    @Override
    public boolean exists(String path) {
        return files.keySet().stream().anyMatch(file -> file.equals(path) || file.startsWith(path + "/"));
    }

    @Override
    public List<String> names(String directory) {
        TreeSet<String> names = new TreeSet<>();
        files.keySet().stream()
                .filter(file -> file.startsWith(directory + "/"))
                .forEach(
                        file -> names.add(file.substring(directory.length() + 1).split("/", -1)[0]));
        return List.copyOf(names);
    }

    @Override
    public String output(List<String> command) {
        return commands.getOrDefault(command, "");
    }
}
