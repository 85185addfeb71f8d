package dev.muster.runtime.plan;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the values of one plan are made of, and which files they lead to. */
public final class ValueParts {

    private final Map<String, GeneratedFile> files = new HashMap<>();

    public ValueParts(LaunchPlan plan) {
        for (GeneratedFile file : plan.files()) {
            files.put(file.id(), file);
        }
    }

    /** All values of a launch. */
    public static List<Value> of(Launch launch) {
        List<Value> values = new ArrayList<>(launch.command());
        values.addAll(launch.environment().set().values());
        return values;
    }

    /**
     * The files of the plan that these values name, and those that such files name, by their ids, each after those that it names.
     * Not the files themselves: to compare them takes as long as to read them.
     */
    Set<String> filesNamedBy(Collection<Value> values) {
        Set<String> found = new LinkedHashSet<>();
        values.forEach(value -> collectFiles(value, new LinkedHashSet<>(), found));
        return found;
    }

    /** Whether a file names itself, perhaps through others. */
    boolean isCircular(GeneratedFile file) {
        return filesNamedBy(List.of(file.text())).contains(file.id());
    }

    private void collectFiles(Value value, Set<String> under, Set<String> found) {
        for (Value part : value.leaves()) {
            GeneratedFile file = part instanceof Value.PathOf path ? files.get(path.fileId()) : null;
            if (file != null && !found.contains(file.id()) && under.add(file.id())) {
                collectFiles(file.text(), under, found);
                found.add(file.id());
            }
        }
    }
}
