package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.text.Printable;
import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the launcher was started with, captured once. Nothing else asks {@link System} for variables, directories or
 * properties.
 *
 * @param arguments the launcher's own arguments
 * @param environment the variables as the user set them
 * @param directory the directory that the user called from; absolute
 * @param pid the launcher's process id, as its caller knows it
 * @param launcher how another launcher like this one is started
 * @param linkSecret what stood in {@code MUSTER_LINK_SECRET}, a secret or the path of a file: kept out of the environment, so
 *     that no process inherits it
 * @param faults which ranks a simulation kills, and when; the ranks must not know it
 */
public record ProcessInfo(
        List<String> arguments,
        Environment environment,
        Path directory,
        long pid,
        Launcher launcher,
        Optional<Secret> linkSecret,
        List<Fault> faults) {

    /** The variable of {@code --link-secret}. */
    public static final String LINK_SECRET = "MUSTER_LINK_SECRET";

    /** The faults that a simulation tells the launcher of a node, with {@link Fault#BETWEEN} between them. */
    public static final String FAULTS = "MUSTER_SIMULATED_FAULTS";

    /** Names a file in the form of {@code /etc/hosts}, with which simulated nodes find each other if their names do not resolve. */
    public static final String SIMULATED_HOSTS = "MUSTER_SIMULATED_HOSTS";

    /** Where the package is, in a JVM that the supervisor has started. */
    static final String HOME = "MUSTER_HOME";

    /** The caller's directory: the JVM itself runs in the package. */
    static final String DIRECTORY = "MUSTER_DIRECTORY";

    /** A JVM that the supervisor started has almost no environment, and so no such variable. */
    private static final String OF_OTHERS = "PATH";

    /**
     * The process of a launcher.
     *
     * @param caller what the caller gave the launcher
     * @throws MusterException when a variable of simulations has a wrong form
     */
    public static ProcessInfo of(CallerContext caller) {
        return of(caller, ofThisJvm());
    }

    static ProcessInfo of(CallerContext caller, Launcher launcher) {
        Environment environment = Environment.of(caller.variables());
        return new ProcessInfo(
                caller.arguments(),
                withoutOwn(environment),
                caller.directory(),
                caller.pid(),
                launcher,
                environment.value(LINK_SECRET).map(Secret::new),
                environment.value(FAULTS).map(ProcessInfo::faults).orElse(List.of()));
    }

    /** A name for what starts now: {@code 20260131-120000-4711}, by time and pid. */
    public String nameAt(Instant time) {
        // Made only when it is needed: it takes long to start.
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        return form.withZone(ZoneOffset.UTC).format(time) + "-" + pid;
    }

    /** The same with another environment. */
    public ProcessInfo with(Environment changed) {
        return new ProcessInfo(arguments, changed, directory, pid, launcher, linkSecret, faults);
    }

    /**
     * The user's directory of plugins, by {@code --plugins} or its variable. Plugins bring options of their own, so this is read before the
     * options.
     */
    public Optional<Path> pluginDirectory() {
        return OptionTable.PLUGINS
                .valueIn(arguments)
                .or(() -> OptionTable.PLUGINS.variable().flatMap(environment::value))
                .filter(text -> !text.isEmpty())
                .map(directory::resolve);
    }

    /** Whether a supervisor started this JVM, and is connected to it at descriptor 0. */
    public static boolean isStartedBySupervisor() {
        return !home().isEmpty() && !System.getenv().containsKey(OF_OTHERS);
    }

    /** The program of the package that this JVM was started from. */
    public static Path program() {
        return Path.of(home()).resolve(Launcher.PROGRAM);
    }

    /** The caller's context, read from this JVM itself, if no supervisor started it. */
    public static CallerContext ofJvm(String[] arguments) {
        return new CallerContext(
                List.of(arguments),
                new TreeMap<>(System.getenv()),
                CallerContext.directory(System.getenv().getOrDefault(DIRECTORY, ""), System.getProperty("user.dir")),
                ProcessHandle.current().pid(),
                false);
    }

    /** For example {@code 25.0.3+9-LTS}. */
    public static String javaVersion() {
        return System.getProperty("java.runtime.version", "");
    }

    /** The processor's kind, as Java calls it. */
    public static String architecture() {
        return System.getProperty("os.arch", "");
    }

    /** The same as {@code uname -m} calls it. */
    public static String machine() {
        return architecture().equals("amd64") ? "x86_64" : architecture();
    }

    private static String home() {
        return System.getenv().getOrDefault(HOME, "");
    }

    private static Launcher ofThisJvm() {
        return new Launcher(
                home().isEmpty() ? Optional.empty() : Optional.of(Path.of(home())),
                Path.of(System.getProperty("java.home")),
                classPath(Path.of("").toAbsolutePath(), System.getProperty("java.class.path", "")));
    }

    private static List<Fault> faults(String text) {
        return Fault.parseAll(text)
                .orElseThrow(() -> MusterException.configuration(FAULTS + ": " + Printable.quote(text)
                        + " is no list of faults. Unset it: only muster simulate --fail sets it"));
    }

    /** The environment without variables that only the launcher may know. */
    private static Environment withoutOwn(Environment environment) {
        Set<String> own = new HashSet<>(Set.of(LINK_SECRET, FAULTS, CallerContext.BY_SSH));
        own.retainAll(environment.variables().keySet());
        return own.isEmpty() ? environment : environment.changed(Map.of(), own);
    }

    private static List<Path> classPath(Path directory, String text) {
        return Stream.of(text.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(directory::resolve)
                .toList();
    }
}
