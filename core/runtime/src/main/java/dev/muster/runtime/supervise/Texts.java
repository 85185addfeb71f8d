package dev.muster.runtime.supervise;

import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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
        return value.fold(new OfRun(late));
    }

    private final class OfRun implements Value.Cases<String> {

        private final LateValues late;

        OfRun(LateValues late) {
            this.late = late;
        }

        @Override
        public String literal(Value.Literal literal) {
            return literal.text();
        }

        @Override
        public String pathOf(Value.PathOf file) {
            return files.apply(file.fileId()).toString();
        }

        @Override
        public String freePort(Value.FreePort port) {
            return ports.computeIfAbsent(port.name(), draw).toString();
        }

        @Override
        public String privateDirectory(Value.PrivateDirectory directory) {
            return Texts.this.privateDirectory.get().toString();
        }

        @Override
        public String addressOf(Value.AddressOf address) {
            return late.addresses().getOrDefault(address.host(), address.host());
        }

        @Override
        public String exitCode(Value.ExitCode code) {
            return Integer.toString(late.exitCode().orElse(0));
        }

        @Override
        public String reason(Value.Reason reason) {
            return late.reason().orElse("");
        }

        @Override
        public String runMarker(Value.RunMarker ofRun) {
            return marker.value();
        }

        @Override
        public String environmentOf(Value.EnvironmentOf environment) {
            return environments.of(environment.processId(), part -> of(part, late));
        }

        @Override
        public String resource(Value.Resource resource) {
            throw new IllegalStateException("the resource " + resource.name() + " was not read");
        }

        @Override
        public String joined(Value.Joined joined) {
            return joined.parts().stream().map(part -> of(part, late)).collect(Collectors.joining());
        }
    }
}
