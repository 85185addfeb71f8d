package dev.muster.testkit;

import dev.muster.spi.Engine;
import dev.muster.spi.Input;
import dev.muster.spi.PlanException;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** All answers of an engine for some clusters, as texts. R2 compares the answers of two calls, threads or JVMs. */
final class Answers {

    /** The sizes of the clusters: nodes and cards. */
    private static final int[][] CLUSTERS = {{1, 2}, {3, 2}};

    /** A new JVM has the same order of sets in one of two cases, by chance. So the kit starts JVMs until the order differs. */
    private static final int TRIES = 60;

    private static final String SAME_ORDER = "the same order";

    /** The prefix of an answer's line: a JVM may also print warnings. */
    private static final String MARK = "answer ";

    private static final int THREADS = 4;
    private static final long DEADLINE_S = 300;

    /** Options of JVMs that see another machine and another user: an answer that is equal there depends on the request only. */
    private static final List<List<String>> MACHINES = List.of(
            List.of("-Duser.language=tr", "-Duser.country=TR", "-Duser.timezone=Pacific/Kiritimati"),
            List.of("-Dfile.encoding=COMPAT", "-Duser.home=/nowhere", "-Duser.name=somebody", "-Djava.io.tmpdir=/"));

    private Answers() {}

    /** One line for each answer, without text that differs between equal objects. */
    static List<String> of(Engine engine, Map<String, String> options, boolean isBackwards) throws PlanException {
        List<Engines.Question<String>> questions = new ArrayList<>();
        for (int[] size : CLUSTERS) {
            VirtualCluster first = VirtualCluster.of(engine, size[0], size[1], options);
            for (VirtualCluster cluster : List.of(first, first.in(World.THIRD_ATTEMPT))) {
                for (int each = 0; each < size[0]; each++) {
                    int node = each;
                    questions.add(() -> cluster.where("plan") + ", node " + node + ": " + of(cluster, node));
                }
            }
        }
        if (isBackwards) {
            Collections.reverse(questions);
        }
        Set<String> answers = new TreeSet<>(List.of("descriptor: " + engine.descriptor()));
        for (Engines.Question<String> question : questions) {
            answers.add(question.ask().replace("\n", "\\n"));
        }
        return List.copyOf(answers);
    }

    private static String of(VirtualCluster cluster, int node) {
        try {
            List<String> inputs = cluster.inputs(node).stream()
                    .map(Input::toString)
                    .map(input -> input.replaceAll("parser=.*", ""))
                    .toList();
            return cluster.plan(node, (input, value) -> value) + " " + inputs + " " + cluster.link(node)
                    + cluster.provisions();
        } catch (PlanException refusal) {
            return String.valueOf(refusal);
        }
    }

    /** Fails if two answers are not equal. */
    static void requireEqual(String how, List<String> expected, List<String> found) {
        for (int line = 0; line < expected.size(); line++) {
            String one = expected.get(line);
            String other = line < found.size() ? found.get(line) : "";
            int at = Arrays.mismatch(one.toCharArray(), other.toCharArray());
            Rule.PURITY.require(
                    at < 0,
                    one.substring(0, Math.min(one.length(), Math.max(0, one.indexOf(": ")))),
                    "equal requests have different answers " + how + ": \"" + around(one, at) + "\", then \""
                            + around(other, at) + "\"",
                    "follow the request alone: sort what sets and maps hold, use Locale.ROOT, keep no state");
        }
    }

    private static String around(String text, int at) {
        return text.substring(
                Math.max(0, Math.min(at, text.length()) - 60), Math.min(text.length(), Math.max(0, at) + 60));
    }

    /** The answers of several threads at the same time, in another locale and time zone. All must be equal. */
    static List<String> onThreads(Locale locale, Callable<List<String>> question) throws Exception {
        Locale before = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Locale.setDefault(locale);
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
            Callable<List<String>> asked = () -> {
                Thread.currentThread().setContextClassLoader(loader);
                return question.call();
            };
            return requireSame(threads.invokeAll(Collections.nCopies(THREADS, asked)));
        } finally {
            Locale.setDefault(before);
            TimeZone.setDefault(zone);
            threads.shutdownNow();
        }
    }

    private static List<String> requireSame(List<Future<List<String>>> all) throws Exception {
        for (Future<List<String>> each : all) {
            requireEqual("on several threads", all.get(0).get(), each.get());
        }
        return all.get(0).get();
    }

    /** Fails if the engine has another answer in another JVM. */
    static void checkElsewhere(Engine engine, Map<String, String> options, Path directory)
            throws IOException, InterruptedException, PlanException {
        List<String> expected = of(engine, options, false);
        for (List<String> machine : MACHINES) {
            requireEqual("in another JVM " + machine, expected, answers(engine, options, machine, directory));
        }
    }

    /** The answers of a JVM whose sets have the other order. */
    private static List<String> answers(
            Engine engine, Map<String, String> options, List<String> machine, Path directory)
            throws IOException, InterruptedException {
        Path file = directory.resolve("answers");
        String said = SAME_ORDER;
        for (int tries = 0; tries < TRIES && said.endsWith(SAME_ORDER); tries++) {
            Process jvm = start(engine, options, machine, file);
            if (!jvm.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
                jvm.destroyForcibly();
            }
            said = Files.readString(file);
        }
        return said.contains(MARK)
                ? said.lines()
                        .filter(line -> line.startsWith(MARK))
                        .map(line -> line.substring(MARK.length()))
                        .toList()
                : List.of(said);
    }

    /** The order of sets in this JVM: each JVM iterates over them in one of two directions. */
    private static String order() {
        return String.join("", Set.of("a", "b"));
    }

    private static Process start(Engine engine, Map<String, String> options, List<String> machine, Path answers)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(engine)));
        command.addAll(machine);
        command.addAll(
                List.of(Answers.class.getName(), order(), engine.descriptor().id()));
        new TreeMap<>(options).forEach((name, value) -> command.addAll(List.of(name, value)));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(new File("/")).redirectErrorStream(true);
        builder.environment().putAll(Map.of("LC_ALL", "C", "HOME", "/nowhere", "USER", "nobody", "HOSTNAME", "other"));
        return builder.redirectOutput(answers.toFile()).start();
    }

    private static String classPath(Engine engine) {
        List<String> entries = new ArrayList<>();
        if (engine.getClass().getClassLoader() instanceof URLClassLoader loader) {
            Stream.of(loader.getURLs()).forEach(url -> entries.add(url.getPath()));
        }
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .forEach(entry -> entries.add(Path.of(entry).toAbsolutePath().toString()));
        return String.join(File.pathSeparator, entries);
    }

    /** Runs in another JVM, and prints its answers to standard output. */
    public static void main(String[] arguments) throws PlanException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (order().equals(arguments[0])) {
            out.print(SAME_ORDER);
            return;
        }
        Map<String, String> options = new TreeMap<>();
        for (int index = 2; index < arguments.length; index += 2) {
            options.put(arguments[index], arguments[index + 1]);
        }
        of(Engines.named(arguments[1]), options, true).forEach(line -> out.print(MARK + line + "\n"));
    }
}
