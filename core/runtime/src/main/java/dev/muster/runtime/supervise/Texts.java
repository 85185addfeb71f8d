package dev.muster.runtime.supervise;

import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the values of a plan stand for on this machine. */
final class Texts {

    private final Map<String, Integer> ports = new HashMap<>();
    private final Function<String, Integer> draw;
    private final Function<String, Path> files;
    private final Supplier<Path> privateDirectory;
    private final RunMarker marker;
    private final EnvironmentText environments;

    /**
     * @param draw gives a free port, by its name; asked once for each
     * @param files gives the path of a file, by its id
     * @param privateDirectory makes it when it is first asked for
     * @param environments what processes have in theirs
     */
    Texts(
            Function<String, Integer> draw,
            Function<String, Path> files,
            Supplier<Path> privateDirectory,
            RunMarker marker,
            EnvironmentText environments) {
        this.draw = draw;
        this.files = files;
        this.privateDirectory = privateDirectory;
        this.marker = marker;
        this.environments = environments;
    }

    /** The text of a value; where it needs what is not known yet, something to be replaced later. */
    String of(Value value, LateValues late) {
        if (value instanceof Value.Literal literal) {
            return literal.text();
        }
        if (value instanceof Value.Joined joined) {
            StringBuilder text = new StringBuilder();
            joined.parts().forEach(part -> text.append(of(part, late)));
            return text.toString();
        }
        if (value instanceof Value.PathOf file) {
            return files.apply(file.fileId()).toString();
        }
        if (value instanceof Value.FreePort port) {
            return ports.computeIfAbsent(port.name(), draw).toString();
        }
        if (value instanceof Value.PrivateDirectory) {
            return privateDirectory.get().toString();
        }
        if (value instanceof Value.RunMarker) {
            return marker.value();
        }
        if (value instanceof Value.AddressOf address) {
            return late.addresses().getOrDefault(address.host(), address.host());
        }
        if (value instanceof Value.EnvironmentOf environment) {
            return environments.of(environment.processId(), part -> of(part, late));
        }
        return value instanceof Value.Reason
                ? late.reason().orElse("")
                : Integer.toString(late.exitCode().orElse(0));
    }
}
