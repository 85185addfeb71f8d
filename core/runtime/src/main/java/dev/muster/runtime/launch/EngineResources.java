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

/** Puts the texts of an engine's own jar into its plans; nothing that is shown, checked or carried out asks for them later. */
public final class EngineResources {

    private final Class<?> engine;
    private final Map<String, String> texts = new TreeMap<>();

    private EngineResources(Class<?> engine) {
        this.engine = engine;
    }

    /**
     * The same plan, in which no value is a {@link Value.Kind#RESOURCE} any more.
     *
     * @param engine whose resources are meant
     * @throws IllegalArgumentException when it has no resource of a name
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

    /** The value itself, where it names none: it may be a rank table. */
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
