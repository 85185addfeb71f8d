package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Executables;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A plan whose directories and files are there and whose commands are known to exist: every value can be told. */
final class PreparedPlan {

    private static final String SEARCH_PATH = "PATH";

    private final LaunchPlan plan;
    private final Map<String, Path> files;
    private final Map<String, Integer> freePorts;
    private final Map<String, String> environment;
    private final Map<String, List<String>> commands = new HashMap<>();

    /**
     * @param files where each of the plan's files was written, by its id
     * @param freePorts the ports that were drawn for the plan, by their names
     * @param environment what processes inherit
     * @throws dev.muster.runtime.errors.MusterException 127 or 126 for a command that cannot be run
     */
    PreparedPlan(
            LaunchPlan plan, Map<String, Path> files, Map<String, Integer> freePorts, Map<String, String> environment) {
        this.plan = plan;
        this.files = Map.copyOf(files);
        this.freePorts = Map.copyOf(freePorts);
        this.environment = environment;
        for (ProcessSpec process : plan.processes()) {
            commands.put(process.id(), resolved(process.launch()));
        }
    }

    LaunchPlan plan() {
        return plan;
    }

    /** The command of a process; it begins with an absolute path. */
    List<String> command(ProcessSpec process) {
        return commands.getOrDefault(process.id(), List.of());
    }

    /** What a process gets beside what it inherits. */
    SortedMap<String, String> variables(ProcessSpec process) {
        return variables(process.launch());
    }

    private SortedMap<String, String> variables(Launch launch) {
        SortedMap<String, String> variables = new TreeMap<>();
        launch.environment().set().forEach((name, value) -> variables.put(name, text(value)));
        return variables;
    }

    private List<String> resolved(Launch launch) {
        List<String> command = new ArrayList<>();
        for (Value word : launch.command()) {
            command.add(text(word));
        }
        Optional<String> searchPath = Optional.ofNullable(variables(launch).get(SEARCH_PATH));
        if (searchPath.isEmpty() && !launch.environment().remove().contains(SEARCH_PATH)) {
            searchPath = Optional.ofNullable(environment.get(SEARCH_PATH));
        }
        Path program = Executables.resolve(command.get(0), searchPath, Path.of(launch.workDirectory()));
        command.set(0, program.toString());
        return List.copyOf(command);
    }

    private String text(Value value) {
        if (value instanceof Value.PathOf reference) {
            Path file = files.get(reference.fileId());
            if (file == null) {
                throw new IllegalStateException("the plan has no file " + reference.fileId());
            }
            return file.toString();
        }
        if (value instanceof Value.FreePort reference) {
            Integer port = freePorts.get(reference.name());
            if (port == null) {
                throw new IllegalStateException("no port was drawn for " + reference.name());
            }
            return port.toString();
        }
        if (value instanceof Value.Joined joined) {
            StringBuilder text = new StringBuilder();
            joined.parts().forEach(part -> text.append(text(part)));
            return text.toString();
        }
        return ((Value.Literal) value).text();
    }
}
