package dev.muster.testkit.runtime;

import dev.muster.runtime.plugins.SpiVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.ToolProvider;

/**
 * An engine that differs from a correct engine in a few places: one line of {@code odd-engines.txt}.
 *
 * @param number of the line
 * @param expected the rule that the kit must report, or {@code good}
 * @param fault what is wrong
 * @param parts the parts of the source that differ, by placeholder
 */
record OddEngine(int number, String expected, String fault, Map<String, String> parts) {

    /** The text for each placeholder {@code ${...}} of the source, in a correct engine. */
    private static final Map<String, String> RIGHT = Map.ofEntries(
            Map.entry("members", ""),
            Map.entry("more", ""),
            Map.entry("more2", ""),
            Map.entry("library", ""),
            Map.entry("modifier", "public"),
            Map.entry("summary", "per card"),
            Map.entry("options", ""),
            Map.entry("variables", "\"RANK\", \"WORLD_SIZE\", \"LOCAL_RANK\", \"ODD_*\""),
            Map.entry("descriptor", ""),
            Map.entry("id", "odd"),
            Map.entry("inputs", "return List.of();"),
            Map.entry("link", "return LauncherNodes.ofNodes(node);"),
            Map.entry("simulation", "return cluster.nodes().stream().map(n -> NodeProvision.NOTHING).toList();"),
            Map.entry("before", ""),
            Map.entry(
                    "refuse",
                    "if (!node.knowsItsIndex()) throw new PlanException(PlanException.Kind.USAGE, \"no --node-index\");"),
            Map.entry("cards", "node.cards().count().orElse(1)"),
            Map.entry("text", "\"text\""),
            Map.entry("rank", "index * cards + local"),
            Map.entry("local", "local"),
            Map.entry("world", "count * cards"),
            Map.entry("command", "Launch.literally(job.command())"),
            Map.entry("set", ""),
            Map.entry("process", "id"),
            Map.entry("log", "\"rank-\" + rank + \".txt\""),
            Map.entry("over", "count"),
            Map.entry("outcome", "Outcome.ALL_TASKS"),
            Map.entry("after", ""),
            Map.entry("manifest", "Muster-Engine: odd; per card\nMuster-Spi-Version: " + SpiVersion.ours() + "\n"),
            Map.entry("services", "odd.e${number}.Odd"));

    private static final String SOURCE = """
            package odd.e${number};
            import dev.muster.spi.*;
            import java.util.*;
            import java.util.stream.*;
            ${modifier} final class Odd implements Engine {
                ${members}
                @Override public EngineDescriptor descriptor() {
                    return EngineDescriptor.of("${id}", "${summary}").withOptions(${options}).withVariables(${variables})${descriptor};
                }
                @Override public List<Input> inputs(JobSpec job, Node node) throws PlanException { ${inputs} }
                @Override public Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException { ${link} }
                @Override public List<NodeProvision> simulation(SimulatedCluster cluster) { ${simulation} }
                @Override public LaunchPlan plan(PlanRequest request) throws PlanException {
                    Node node = request.node();
                    JobSpec job = request.job();
                    ${before}
                    ${refuse}
                    int cards = ${cards}, index = node.index().orElse(0), count = node.count().orElse(1);
                    LaunchPlan.Builder plan = LaunchPlan.builder(${outcome}).over(${over});
                    for (int local = 0; local < cards; local++) {
                        int rank = ${rank}, world = ${world};
                        String id = "rank-" + rank;
                        Map<String, Value> set = new HashMap<>(Map.of("RANK", Value.of(rank), "WORLD_SIZE", Value.of(world),
                            "LOCAL_RANK", Value.of(${local}), "ODD_TEXT", Value.of(${text})));
                        ${set}
                        Launch launch = new Launch(${command}, EnvironmentChange.of(set, List.of()),
                            job.places().workDirectoryOf("rank-" + rank), ${log});
                        plan.process(ProcessSpec.task(${process}, launch).withPlacement(new RankInfo(rank, ${local}, world)));
                    }
                    ${after}
                    return plan.build();
                }
                ${more2}
            }
            ${more}
            """;

    /** The engines of all lines, compiled below a directory. */
    static List<OddEngine> compiled(Path directory) throws IOException {
        List<OddEngine> all = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/odd-engines.txt"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                all.add(parse(all.size(), line));
            }
        }
        List<String> command = new ArrayList<>(List.of("-proc:none", "-nowarn", "--release", "17", "-cp", spi(), "-d"));
        command.add(directory.resolve("all").toString());
        for (OddEngine each : all) {
            command.addAll(each.write(directory));
        }
        Files.createDirectories(directory.resolve("all"));
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("an odd engine does not compile");
        }
        all.forEach(each -> each.pack(directory));
        return all;
    }

    private static String spi() {
        return Path.of("../spi/target/classes").toAbsolutePath().toString();
    }

    private static OddEngine parse(int number, String line) {
        String[] words = line.split(" \\| ", 3);
        Map<String, String> parts = new HashMap<>(RIGHT);
        for (String part : words.length < 3 ? new String[0] : words[2].split(" ;; ")) {
            String[] pair = part.split(" =", 2);
            if (parts.put(pair[0].strip(), pair.length < 2 ? "" : pair[1].strip()) == null) {
                throw new IllegalArgumentException("no part is called " + pair[0] + ": " + line);
            }
        }
        return new OddEngine(number, words[0].strip(), words[1].strip(), parts);
    }

    private String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            filled = filled.replace("${" + part.getKey() + "}", part.getValue());
        }
        return filled.replace("${number}", Integer.toString(number));
    }

    private String part(String name) {
        return Objects.requireNonNull(parts.get(name));
    }

    private List<String> write(Path directory) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources/" + number));
        List<String> files = new ArrayList<>(List.of(
                Files.writeString(sources.resolve("Odd.java"), filled(SOURCE)).toString()));
        if (!part("library").isEmpty()) {
            files.add(Files.writeString(sources.resolve("Lib.java"), filled("package lib.e${number}; ${library}"))
                    .toString());
        }
        return files;
    }

    /** Moves the classes of the engine and of its library into two directories of their own. */
    private void pack(Path directory) {
        try {
            Path home = directory.resolve(number + "/classes/META-INF");
            Files.createDirectories(home.resolve("services"));
            Files.writeString(home.resolve("services/dev.muster.spi.Engine"), filled(part("services")));
            if (!part("manifest").isEmpty()) {
                Files.writeString(
                        home.resolve("MANIFEST.MF"),
                        "Manifest-Version: 1.0\n" + filled(part("manifest")).replace("\\n", "\n") + "\n");
            }
            move(directory, "odd", directory.resolve(number + "/classes"));
            move(directory, "lib", directory.resolve(number + "/library"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void move(Path directory, String group, Path home) throws IOException {
        Path classes = directory.resolve("all/" + group + "/e" + number);
        if (Files.isDirectory(classes)) {
            Files.move(classes, Files.createDirectories(home.resolve(group)).resolve("e" + number));
        }
    }

    ClassLoader loader(Path directory) throws IOException {
        List<URL> homes = new ArrayList<>();
        for (String home : List.of("classes", "library")) {
            homes.add(directory.resolve(number + "/" + home + "/").toUri().toURL());
        }
        Files.createDirectories(directory.resolve(number + "/library"));
        return new URLClassLoader(homes.toArray(URL[]::new), OddEngine.class.getClassLoader());
    }

    @Override
    public String toString() {
        return number + " " + expected + " " + fault;
    }
}
