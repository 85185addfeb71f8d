package dev.muster.runtime.launch;

import dev.muster.runtime.text.TextResource;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts the texts from an engine's jar into its plans. Later steps then need no access to the jar. */
public final class EngineResources {

    private final Class<?> engine;
    private final Map<String, String> texts = new TreeMap<>();

    private EngineResources(Class<?> engine) {
        this.engine = engine;
    }

    /**
     * The plan, with the text in place of each {@link Value.Kind#RESOURCE}.
     *
     * @param engine whose resources are meant
     * @throws IllegalArgumentException when the jar has no resource of that name
     */
    public static LaunchPlan read(LaunchPlan plan, Class<?> engine) {
        return new EngineResources(engine).in(plan);
    }

    private LaunchPlan in(LaunchPlan plan) {
        List<ProcessSpec> processes = plan.processes().stream()
                .map(process -> process.withLaunch(in(process.launch())))
                .toList();
        List<GeneratedFile> files = plan.files().stream()
                .map(file -> new GeneratedFile(file.id(), file.directory(), file.name(), in(file.text())))
                .toList();
        return plan.withProcesses(processes).withFiles(files);
    }

    private Launch in(Launch launch) {
        SortedMap<String, Value> set = new TreeMap<>();
        launch.environment().set().forEach((name, value) -> set.put(name, in(value)));
        return new Launch(
                launch.command().stream().map(this::in).toList(),
                EnvironmentChange.of(set, launch.environment().remove()),
                launch.workDirectory(),
                launch.logFile());
    }

    /** Returns the value itself if it names no resource: it may be a large rank table. */
    private Value in(Value value) {
        if (value.leaves().stream().noneMatch(part -> part.is(Value.Kind.RESOURCE))) {
            return value;
        }
        ValueText read = new ValueText();
        for (Value leaf : value.leaves()) {
            read.add(leaf.is(Value.Kind.RESOURCE) ? Value.of(texts.computeIfAbsent(leaf.text(), this::text)) : leaf);
        }
        return read.value();
    }

    private String text(String name) {
        return TextResource.find(engine, name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "its jar has no resource \"" + name + "\" for " + engine.getName() + ", which its plan names"));
    }
}
