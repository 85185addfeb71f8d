package dev.muster.runtime.plan;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of one plan as a dry run shows them: files by the path they will have, secrets masked whole. */
final class Display {

    /** The private directory's name differs from run to run. */
    private static final String PRIVATE = "<private temporary directory>";

    /** Where the package lies is no matter of the plan. */
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
        List<String> texts = new ArrayList<>(command.size());
        for (Value argument : command) {
            texts.add(text(argument));
        }
        return secrets.show(texts);
    }

    String variable(String name, Value value) {
        return secrets.show(name, text(value));
    }

    static String setting(Setting setting, Secrets secrets) {
        return setting.isPath()
                ? secrets.hide(setting.value())
                : secrets.show(setting.name().replace('-', '_'), setting.value());
    }

    private String text(Value value) {
        return value.fold(new Shown());
    }

    /** Why size and digest of a file are not known yet; empty when they are. */
    static String unknown(GeneratedFile file) {
        if (file.text().isKnown()) {
            return "";
        }
        return "content depends on the run";
    }

    /** What is known only to a run in angle brackets. */
    private final class Shown implements Value.Cases<String> {

        @Override
        public String literal(Value.Literal literal) {
            return literal.text();
        }

        @Override
        public String pathOf(Value.PathOf path) {
            return paths.getOrDefault(path.fileId(), "<no file " + path.fileId() + ">");
        }

        @Override
        public String freePort(Value.FreePort port) {
            return "<free port>";
        }

        @Override
        public String privateDirectory(Value.PrivateDirectory directory) {
            return PRIVATE;
        }

        @Override
        public String supervisor(Value.Supervisor supervisor) {
            return SUPERVISOR;
        }

        @Override
        public String environmentOf(Value.EnvironmentOf environment) {
            return "<environment of " + environment.processId() + ">";
        }

        @Override
        public String resource(Value.Resource resource) {
            return "<resource " + resource.name() + ">";
        }

        @Override
        public String joined(Value.Joined joined) {
            return joined.parts().stream().map(Display.this::text).collect(Collectors.joining());
        }
    }
}
