package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a node of a real job: see the README beside the recordings.
 *
 * @param nodes the number of nodes of the whole job
 */
record Recorded(
        String name,
        String platform,
        int nodes,
        int index,
        String role,
        String hostName,
        Map<String, String> environment,
        Map<String, String> files,
        Map<String, String> answers) {

    /** The recording with this name. */
    static Recorded of(String name) {
        return read(directory().resolve(name + ".json"));
    }

    /** All recordings, by name. */
    static Stream<Recorded> all() {
        try (Stream<Path> files = Files.list(directory())) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream()
                    .map(Recorded::read);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** @param root an empty directory */
    void writeFiles(Path root) {
        files.forEach((path, content) -> write(root.resolve(path.substring(1)), content));
    }

    /** @param options names without dashes, each followed by its value */
    Settings settings(EngineDescriptor engine, String... options) {
        return TestResolvedJobs.settings(processInfo(), engine, options);
    }

    /** @param root the directory with the node's files */
    ResolvedJob jobWithFiles(
            Path root,
            EngineDescriptor engine,
            List<? extends Platform> platforms,
            boolean startsProcesses,
            Settings settings) {
        NodeInfo machine = new NodeInfo(hostName, List.of("10.0.0.9", "127.0.0.1"), 0, home(), 2);
        LocalEvidence evidence = new LocalEvidence(
                processInfo().environment().variables(),
                machine,
                new MachineFiles(root),
                Optional.of(engine),
                startsProcesses,
                Optional.of(settings),
                command -> answers.getOrDefault(String.join(" ", command), ""));
        return orRefused(JobResolver.read(evidence, processInfo(), Clock.systemUTC(), new PlatformCatalog(platforms)));
    }

    /** Throws the refusal. A launcher tells it to the others first, but a test has no link. */
    static ResolvedJob orRefused(ResolvedJob resolved) {
        resolved.refusal().ifPresent(why -> {
            throw why;
        });
        return resolved;
    }

    /** Writes the node's files, and resolves the job for any command. */
    ResolvedJob jobOf(
            Path root,
            EngineDescriptor engine,
            List<? extends Platform> platforms,
            Command command,
            String... options) {
        writeFiles(root);
        return jobWithFiles(root, engine, platforms, command == Command.LAUNCH, settings(engine, options));
    }

    private ProcessInfo processInfo() {
        return TestProcesses.of(Path.of("/caller"), environment);
    }

    /** This node with another value of a variable. */
    Recorded with(String variable, String value) {
        Map<String, String> changed = new TreeMap<>(environment);
        changed.put(variable, value);
        return new Recorded(name, platform, nodes, index, role, hostName, changed, files, answers);
    }

    private Optional<String> home() {
        return Optional.ofNullable(environment.get("HOME"));
    }

    private static void write(Path file, String content) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, content);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path directory() {
        URL place = Objects.requireNonNull(Recorded.class.getResource("recorded/README.md"), "no recordings");
        try {
            return Objects.requireNonNull(Path.of(place.toURI()).getParent());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Recorded read(Path file) {
        try {
            Map<String, Object> content = ((JsonReading.Complete) Json.read(Files.readAllBytes(file))).content();
            String name = Objects.requireNonNull(file.getFileName()).toString();
            return new Recorded(
                    name.substring(0, name.length() - ".json".length()),
                    text(content, "platform"),
                    ((Number) Objects.requireNonNull(content.get("nodes"))).intValue(),
                    ((Number) content.getOrDefault("index", 0)).intValue(),
                    text(content, "role"),
                    text(content, "hostName"),
                    texts(content.getOrDefault("environment", Map.of())),
                    texts(content.getOrDefault("files", Map.of())),
                    texts(content.getOrDefault("answers", Map.of())));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Map<String, Object> content, String key) {
        return String.valueOf(content.getOrDefault(key, ""));
    }

    private static Map<String, String> texts(@Nullable Object object) {
        Map<String, String> texts = new TreeMap<>();
        if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> texts.put((String) key, (String) value));
        }
        return texts;
    }

    @Override
    public String toString() {
        return name;
    }
}
