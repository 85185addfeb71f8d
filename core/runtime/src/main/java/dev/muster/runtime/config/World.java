package dev.muster.runtime.config;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.io.File;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the launcher was started with, captured once. Nothing else asks {@link System} for variables, directories or
 * properties.
 *
 * @param arguments the launcher's own arguments
 * @param environment the variables as the user set them
 * @param directory the directory that the user called from; absolute
 * @param pid the launcher's process id, as whoever started it knows it
 * @param launcher how another launcher like this one is started
 * @param linkSecret what stood in {@code MUSTER_LINK_SECRET}, a secret or the path of a file: kept out of the environment, so
 *     that no process inherits it
 * @param faults which ranks of this launcher are killed, and when, since the job is simulated: they must not know it
 */
public record World(
        List<String> arguments,
        Environment environment,
        Path directory,
        long pid,
        Launcher launcher,
        Optional<Secret> linkSecret,
        List<Fault> faults) {

    static final String IGNORED_SIGNALS = "MUSTER_SIGIGN";

    /** The start script's process, or a copy of it. */
    static final String CALLER = "MUSTER_PID";

    /** The variable of {@code --link-secret}. */
    public static final String LINK_SECRET = "MUSTER_LINK_SECRET";

    /** What a simulation tells the launcher of a node: {@link Fault#text}. */
    public static final String FAULTS = "MUSTER_SIMULATED_FAULTS";

    /** By which a simulation names a file of the form of {@code /etc/hosts}, where names lead to no node. */
    public static final String SIMULATED_HOSTS = "MUSTER_SIMULATED_HOSTS";

    private static final String GUARD = "muster.guard";
    /** Where the package is, for the start script's JVM. */
    static final String HOME = "MUSTER_HOME";

    /** Where the start script was called. */
    static final String CALLERS_DIRECTORY = "MUSTER_CWD";

    public World {
        arguments = List.copyOf(arguments);
        faults = List.copyOf(faults);
    }

    /** A world without a secret. */
    World(List<String> arguments, Environment environment, Path directory, long pid, Launcher launcher) {
        this(arguments, environment, directory, pid, launcher, Optional.empty(), List.of());
    }

    /**
     * Captures the world of this process.
     *
     * @throws MusterException when the JVM cannot read the arguments byte for byte, or the current directory
     */
    public static World capture(String[] arguments) {
        List<String> list = List.of(arguments);
        ArgumentBytes.check(list);
        Path directory = currentDirectory(System.getProperty("user.dir"));
        Launcher launcher = new Launcher(
                Optional.empty(),
                Path.of(System.getProperty("java.home")),
                classPath(directory, System.getProperty("java.class.path", "")));
        // A copy: the JDK's own map does not find names that are no text.
        Map<String, String> seen = new HashMap<>(System.getenv());
        // Without a start script it is anybody's variable.
        String caller = seen.getOrDefault(HOME, "").isEmpty() ? null : seen.get(CALLER);
        return of(list, seen, callers(caller), directory, startedPid(), launcher);
    }

    /** @param pid of the process that has the caller's variables, null without a start script */
    private static Optional<Map<String, String>> callers(@Nullable String pid) {
        Optional<Map<String, String>> callers =
                Optional.ofNullable(pid).flatMap(known -> CallersVariables.of(known, charset()));
        if (pid != null && callers.isEmpty() && CallersVariables.areLost(pid)) {
            // Without them ranks would lack a part of their environment, or all of it.
            throw new MusterException(
                    ExitCode.INTERNAL,
                    "the process that keeps the caller's environment (pid " + Printable.escape(pid)
                            + ") was killed; nothing was started. Start it again");
        }
        return callers;
    }

    private static Charset charset() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    /** The same world with another environment. */
    public World with(Environment changed) {
        return new World(arguments, changed, directory, pid, launcher, linkSecret, faults);
    }

    /** Whether this JVM can give every text to the processes that it starts; under {@code LANG=C} only ASCII ones. */
    public static boolean canGiveAnyText() {
        return System.getProperty("native.encoding", "").equalsIgnoreCase("UTF-8");
    }

    /** The descriptors by which the start script's shell talks to its JVM, and its pid, as in {@code 3:4:4711}, if there is one. */
    public static Optional<String> guardDescriptors() {
        return Optional.ofNullable(System.getProperty(GUARD));
    }

    /** The value of the variable that names the start script's shell in this JVM, which no rank gets, if there is one. */
    public static Optional<String> startedFrom() {
        return Optional.ofNullable(System.getenv(CALLER));
    }

    private static long startedPid() {
        return guardDescriptors()
                .map(shell -> Long.parseLong(shell.substring(shell.lastIndexOf(':') + 1)))
                .orElse(ProcessHandle.current().pid());
    }

    /** The mask of ignored signals that the start script saw before Java started, if there was one. */
    public static Optional<String> ignoredSignalsBehindStartScript() {
        return Optional.ofNullable(System.getenv(IGNORED_SIGNALS));
    }

    /**
     * The world of a process, from what that process sees.
     *
     * @param seen all its variables, those of the packaged start script among them
     * @param callers those of the start script's caller, as far as known
     */
    static World of(
            List<String> arguments,
            Map<String, String> seen,
            Optional<Map<String, String>> callers,
            Path directory,
            long pid,
            Launcher launcher) {
        String home = seen.getOrDefault(HOME, "");
        if (home.isEmpty()) {
            return of(arguments, Environment.of(seen), directory, pid, launcher);
        }
        Environment environment = callers.map(variables -> Environment.behindStartScript(seen, variables))
                .orElseGet(() -> Environment.behindStartScript(seen));
        String called = seen.getOrDefault(CALLERS_DIRECTORY, "");
        return of(
                arguments,
                environment,
                called.startsWith("/") ? Path.of(called) : directory,
                pid,
                new Launcher(Optional.of(Path.of(home)), launcher.javaHome(), launcher.classPath()));
    }

    private static World of(
            List<String> arguments, Environment environment, Path directory, long pid, Launcher launcher) {
        Optional<Secret> secret = environment.value(LINK_SECRET).map(Secret::new);
        List<Fault> faults = environment.value(FAULTS).map(World::faults).orElse(List.of());
        return new World(arguments, withoutOwn(environment), directory, pid, launcher, secret, faults);
    }

    private static List<Fault> faults(String text) {
        return Fault.parseAll(text)
                .orElseThrow(() -> MusterException.configuration(FAULTS + ": " + Printable.quote(text)
                        + " is nothing that a simulation says. Unset it: only muster simulate --fail sets it"));
    }

    /** Without what only the launcher may know. */
    private static Environment withoutOwn(Environment environment) {
        Set<String> own = new HashSet<>(Set.of(LINK_SECRET, FAULTS));
        own.retainAll(environment.variables().keySet());
        return own.isEmpty() ? environment : environment.changed(Map.of(), own);
    }

    private static Path currentDirectory(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException unreadable) {
            throw MusterException.configuration("the name of the current directory (read as " + Printable.quote(text)
                    + ") cannot be expressed in this locale: start Muster with bin/muster, or set LC_ALL=C.UTF-8");
        }
    }

    private static List<Path> classPath(Path directory, String text) {
        List<Path> entries = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(directory.resolve(entry));
            }
        }
        return entries;
    }
}
