package dev.muster.runtime.supervise;

import dev.muster.runtime.files.NameLength;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Gives the logs of a plan names with the id of the run, because another launcher is writing those that the plan has. */
final class OwnNames {

    private final String run;
    private final Map<String, String> paths = new HashMap<>();

    private OwnNames(String run) {
        this.run = run;
    }

    /** The same plan with such names, also where a command is told one of them. */
    static LaunchPlan in(LaunchPlan plan, Path logDirectory, String run) {
        OwnNames names = new OwnNames(run);
        for (ProcessSpec process : plan.processes()) {
            String log = process.launch().logFile();
            names.paths.put(
                    logDirectory.resolve(log).toString(),
                    logDirectory.resolve(of(log, run)).toString());
        }
        return new LaunchPlan(
                plan.name(),
                plan.directories(),
                plan.files(),
                plan.ports(),
                plan.processes().stream()
                        .map(process -> process.withLaunch(names.launch(process.launch())))
                        .toList(),
                plan.outcome(),
                plan.notes(),
                plan.nodes(),
                plan.launchers(),
                plan.equal());
    }

    /** {@code log.txt} becomes {@code log-RUN.txt}. */
    static String of(String name, String run) {
        int dot = name.lastIndexOf('.');
        int end = dot > 0 ? dot : name.length();
        return NameLength.fit(name.substring(0, end) + "-" + run + name.substring(end));
    }

    private Launch launch(Launch launch) {
        SortedMap<String, Value> set = new TreeMap<>();
        launch.environment().set().forEach((name, value) -> set.put(name, value(value)));
        List<Value> command = launch.command().stream().map(this::value).toList();
        EnvironmentChange environment =
                EnvironmentChange.of(set, launch.environment().remove());
        return new Launch(command, environment, launch.workDirectory(), of(launch.logFile(), run));
    }

    private Value value(Value value) {
        return value.is(Value.Kind.LITERAL) && paths.containsKey(value.text())
                ? Value.of(paths.get(value.text()))
                : value;
    }
}
