package dev.muster.runtime.plan;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of one plan as {@code muster plan} shows them: files by the path they will have, secrets masked whole. */
final class Display {

    /** The private directory's name differs from run to run. */
    private static final String PRIVATE = "<private temporary directory>";

    /** The plan does not depend on the place of the package. */
    private static final String SUPERVISOR = "<muster>";

    private final Secrets secrets;
    private final Map<String, String> paths = new HashMap<>();

    Display(LaunchPlan plan, Secrets secrets) {
        this.secrets = secrets;
        for (GeneratedFile file : plan.files()) {
            paths.put(file.id(), path(file));
        }
    }

    static String path(GeneratedFile file) {
        String directory = file.directory().orElse(PRIVATE);
        return directory.endsWith("/") ? directory + file.name() : directory + "/" + file.name();
    }

    List<String> command(List<Value> command) {
        return secrets.show(command.stream().map(this::text).toList());
    }

    String variable(String name, Value value) {
        return secrets.show(name, text(value));
    }

    /** Values that are known only in a run stand in angle brackets. */
    private String text(Value value) {
        return switch (value.kind()) {
            case LITERAL -> value.text();
            case PATH_OF -> paths.getOrDefault(value.text(), "<no file " + value.text() + ">");
            case FREE_PORT -> "<free port>";
            case PRIVATE_DIRECTORY -> PRIVATE;
            case SUPERVISOR -> SUPERVISOR;
            case RESOURCE -> "<resource " + value.text() + ">";
            case JOINED -> value.parts().stream().map(this::text).collect(Collectors.joining());
        };
    }
}
