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
    private final ValueResolver texts;
    private final Map<String, String> environment;
    private final Map<String, String> programs = new HashMap<>();

    /**
     * @param environment what processes inherit
     * @throws dev.muster.runtime.errors.MusterException 127 or 126 for a command that cannot be run
     */
    PreparedPlan(LaunchPlan plan, ValueResolver values, Map<String, String> environment) {
        this.plan = plan;
        this.texts = values;
        this.environment = environment;
        for (ProcessSpec process : plan.processes()) {
            programs.put(process.id(), program(process.launch()));
        }
    }

    LaunchPlan plan() {
        return plan;
    }

    /** The command of a process; it begins with an absolute path. */
    List<String> command(ProcessSpec process) {
        List<String> command = texts(process.launch().command());
        command.set(0, programs.getOrDefault(process.id(), command.get(0)));
        return command;
    }

    /** What a process gets beside what it inherits. */
    SortedMap<String, String> variables(ProcessSpec process) {
        return variables(process.launch());
    }

    private SortedMap<String, String> variables(Launch launch) {
        SortedMap<String, String> variables = new TreeMap<>();
        launch.environment().set().forEach((name, value) -> variables.put(name, texts.of(value)));
        return variables;
    }

    private String program(Launch launch) {
        // Ports are drawn and directories made for all words now, not while ranks wait.
        String first = texts(launch.command()).get(0);
        Optional<String> searchPath = Optional.ofNullable(variables(launch).get(SEARCH_PATH));
        if (searchPath.isEmpty() && !launch.environment().remove().contains(SEARCH_PATH)) {
            searchPath = Optional.ofNullable(environment.get(SEARCH_PATH));
        }
        return Executables.resolve(first, searchPath, Path.of(launch.workDirectory()))
                .toString();
    }

    private List<String> texts(List<Value> values) {
        return new ArrayList<>(values.stream().map(texts::of).toList());
    }
}
