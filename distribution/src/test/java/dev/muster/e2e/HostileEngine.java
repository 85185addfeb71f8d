package dev.muster.e2e;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RankLines;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A plugin that starts one process. {@code E2E_LIE} names what it does wrong, and {@code E2E_WHERE} in which call. */
@SuppressWarnings("NullAway") // Some answers are null, which no engine may give.
public final class HostileEngine implements Engine {

    static {
        isAt("class");
    }

    public HostileEngine() {
        isAt("constructor");
    }

    @Override
    public EngineDescriptor descriptor() {
        isAt("descriptor");
        return isToBeNull("descriptor")
                ? null
                : EngineDescriptor.of("hostile", "for tests").withVariables("ME");
    }

    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) {
        isAt("link");
        return isToBeNull("link") ? null : LauncherNodes.ofNodes(node);
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        isAt("inputs");
        if (said("E2E_LIE").equals("ask")) {
            return List.of(new Input.CommandOutput(
                    "ask", List.of("sh", "-c", "echo $$ >\"$E2E_NOTE\"; exec sleep 600"), Duration.ofMinutes(10)));
        }
        if (said("E2E_WHERE").equals("parser")) {
            return List.of(new Input.JsonFile(
                    "json",
                    said("E2E_NOTE"),
                    Optional.empty(),
                    "E2E_NOTE",
                    true,
                    "",
                    "",
                    List.of(),
                    HostileEngine::parsed));
        }
        return isToBeNull("inputs") ? null : List.of();
    }

    private static InputValue parsed(InputValue.Json json) {
        isAt("parser");
        return isToBeNull("parser") ? null : json;
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        isAt("simulation");
        return isToBeNull("simulation")
                ? null
                : cluster.nodes().stream().map(node -> NodeProvision.NOTHING).toList();
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        isAt("plan");
        switch (said("E2E_LIE")) {
            case "mute" -> throw new PlanException(PlanException.Kind.DATA, null);
            case "blank" -> throw new PlanException(PlanException.Kind.DATA, " ");
            case "hollow" -> {
                return LaunchPlan.builder(Outcome.ALL_TASKS)
                        .process(ProcessSpec.task(
                                "task", new Launch(List.of(), EnvironmentChange.NONE, null, "log.txt")))
                        .build();
            }
            case "recurse" -> {
                LaunchPlan plan = honest(request);
                RankLines lines = new RankLines(List.of(), "", "(?:a|(?<rank>[0-9]))*b");
                return plan.withProcesses(
                        List.of(ProcessSpec.task("task", plan.processes().get(0).launch())
                                .withPlacement(new RankInfo(0, 0, 1))
                                .withRankLines(lines)));
            }
            case "see" -> throw new PlanException(PlanException.Kind.DATA, seen());
            default -> {
                return isToBeNull("plan") ? null : honest(request);
            }
        }
    }

    private static LaunchPlan honest(PlanRequest request) {
        String variable = said("E2E_VARIABLE").isEmpty() ? "ME" : said("E2E_VARIABLE");
        Launch launch = new Launch(
                Launch.literally(request.job().command()),
                EnvironmentChange.of(Map.of(variable, Value.of("x")), Set.of()),
                request.job().directory(),
                "node-" + request.node().index().orElse(0) + ".txt");
        int nodes = request.node().count().orElse(1);
        int rank = number("E2E_RANK", request.node().index().orElse(0));
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .process(ProcessSpec.task("task", launch)
                        .withPlacement(
                                new RankInfo(rank, number("E2E_LOCAL_RANK", 0), number("E2E_WORLD_SIZE", nodes))))
                .over(number("E2E_NODES", nodes))
                .build();
    }

    /** Which classes the plugin finds through its thread's class loader. */
    private static String seen() {
        StringBuilder seen = new StringBuilder("seen:");
        ClassLoader around = Thread.currentThread().getContextClassLoader();
        for (String name : List.of(
                "com.google.inject.Guice",
                "com.fasterxml.jackson.databind.ObjectMapper",
                "com.fasterxml.jackson.core.Versioned",
                "dev.muster.runtime.app.Main",
                "dev.muster.spi.Engine")) {
            String found;
            try {
                found = HostileEngine.class
                                .getClassLoader()
                                .equals(Class.forName(name, false, around).getClassLoader())
                        ? "own"
                        : "yes";
            } catch (ClassNotFoundException hidden) {
                found = "no";
            }
            seen.append(' ')
                    .append(name.substring(name.lastIndexOf('.') + 1))
                    .append('=')
                    .append(found);
        }
        return seen.append('.').toString();
    }

    private static boolean isToBeNull(String where) {
        return said("E2E_WHERE").equals(where) && said("E2E_LIE").equals("null");
    }

    private static void isAt(String where) {
        if (said("E2E_WHERE").equals(where)) {
            tell(said("E2E_LIE"));
        }
    }

    private static void tell(String lie) {
        switch (lie) {
            case "exit" -> System.exit(0);
            case "exit 3" -> System.exit(3);
            case "halt" -> Runtime.getRuntime().halt(0);
            case "overflow" -> overflow(1);
            case "error" -> throw new AssertionError("far too deep");
            case "memory" -> throw new OutOfMemoryError("there is none left");
            case "fill" -> fill();
            case "spin" -> spin();
            case "wait" -> hang();
            case "interrupt" ->
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !thread.equals(Thread.currentThread()))
                        .forEach(Thread::interrupt);
            case "start" -> start("exec sleep 600");
            case "daemon" -> start("(setsid sleep 600 &); trap '' TERM; exec env -i setsid sleep 600");
            case "close" -> {
                System.out.println("printed by a plugin");
                System.out.close();
                System.err.close();
            }
            default -> {}
        }
    }

    private static void start(String script) {
        try {
            new ProcessBuilder("sh", "-c", script).start();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static int overflow(int depth) {
        return depth < 0 ? depth : overflow(depth + 1) + depth;
    }

    private static void fill() {
        List<byte[]> memory = new ArrayList<>();
        while (memory.size() < Integer.MAX_VALUE) {
            memory.add(new byte[1 << 16]);
        }
    }

    private static void spin() {
        System.out.println("turning for ever");
        while (true) {
            Thread.onSpinWait();
        }
    }

    private static void hang() {
        while (true) {
            LockSupport.park();
        }
    }

    private static int number(String variable, int otherwise) {
        return said(variable).isEmpty() ? otherwise : Integer.parseInt(said(variable));
    }

    private static String said(String variable) {
        // A JVM that many launchers share has properties. The JVM of a package does not have the caller's environment,
        // but its parent has it.
        return Optional.ofNullable(System.getenv(variable))
                .or(() -> Optional.ofNullable(System.getProperty(variable)))
                .or(() -> ofParent(variable))
                .orElse("");
    }

    private static Optional<String> ofParent(String variable) {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        try {
            return Files.readString(Path.of("/proc/" + parent + "/environ"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .flatMap(text -> Stream.of(text.split("\0", -1)))
                    .filter(text -> text.startsWith(variable + "="))
                    .map(text -> text.substring(variable.length() + 1))
                    .findFirst();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
