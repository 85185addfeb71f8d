package dev.muster.e2e;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A plugin that does what no engine may do. {@code E2E_LIE} names the deed. The plugin does it while it plans, or as soon as the file
 * {@code E2E_WHEN} exists. Its plan has two processes.
 */
public final class LyingEngine implements Engine {

    /** Installs the plugin in a package of its own, beside the scene's directory, and returns the start script. */
    static String installed(Scene scene) {
        PluginHome home = new PluginHome(scene);
        Path jar = home.plugins().resolve("lying/lying.jar");
        try {
            Files.createDirectories(jar.getParent());
            write(jar);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return home.startScript();
    }

    private static void write(Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(
                        file, PluginHome.manifest(Map.of("Muster-Engine", "lying; what no engine may do")));
                InputStream itself = LyingEngine.class.getResourceAsStream("LyingEngine.class")) {
            entries.putNextEntry(new JarEntry("META-INF/services/" + Engine.class.getName()));
            entries.write(LyingEngine.class.getName().getBytes(StandardCharsets.UTF_8));
            entries.putNextEntry(new JarEntry(LyingEngine.class.getName().replace('.', '/') + ".class"));
            entries.write(itself.readAllBytes());
        }
    }

    @Override
    public EngineDescriptor descriptor() {
        return EngineDescriptor.of("lying", "what no engine may do").withVariables("me");
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return List.of();
    }

    @Override
    public LaunchPlan plan(PlanRequest request) {
        Map<String, String> environment = request.job().environment();
        String lie = environment.getOrDefault("E2E_LIE", "");
        String when = environment.getOrDefault("E2E_WHEN", "");
        if (when.isEmpty()) {
            tell(lie);
        } else {
            Thread thread = new Thread(() -> {
                while (!Files.exists(Path.of(when))) {
                    LockSupport.parkNanos(1_000_000);
                }
                tell(lie);
                note(when + ".done");
            });
            thread.setDaemon(true);
            thread.start();
        }
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS);
        List<ProcessSpec> processes = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            Launch launch = new Launch(
                    Launch.literally(request.job().command()),
                    EnvironmentChange.of(Map.of("me", dev.muster.spi.Value.of(Integer.toString(rank))), Set.of()),
                    request.job().directory(),
                    "rank-" + rank + ".txt");
            processes.add(ProcessSpec.task("rank-" + rank, launch));
        }
        return plan.processes(processes).build();
    }

    private static void tell(String lie) {
        switch (lie) {
            case "halt" -> Runtime.getRuntime().halt(0);
            case "fill" -> fill();
            case "hang" -> hang();
            case "suspend main" -> suspend("main");
            case "suspend all" -> suspend("");
            default -> {}
        }
    }

    private static void note(String file) {
        try {
            Files.createFile(Path.of(file));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static void fill() {
        List<byte[]> memory = new ArrayList<>();
        while (memory.size() < Integer.MAX_VALUE) {
            memory.add(new byte[1024]);
        }
    }

    /** Suspends threads. This works in JVMs before 20 only; later ones do nothing here. */
    private static void suspend(String name) {
        try {
            Method suspend = Thread.class.getMethod("suspend");
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                boolean isMeant = name.isEmpty()
                        ? !thread.equals(Thread.currentThread())
                        : thread.getName().equals(name);
                if (isMeant) {
                    suspend.invoke(thread);
                }
            }
        } catch (ReflectiveOperationException unsupported) {
            // This JVM cannot suspend threads.
        }
    }

    /** Waits for ever, also after a wake-up. */
    private static void hang() {
        while (true) {
            LockSupport.park();
        }
    }
}
