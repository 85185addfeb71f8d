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
 * @param pid the launcher's process id, as whoever started it knows it
 * @param launcher how another launcher like this one is started
 * @param linkSecret what stood in {@code MUSTER_LINK_SECRET}, a secret or the path of a file: kept out of the environment, so
 *     that no process inherits it
 * @param faults which ranks of this launcher are killed, and when, since the job is simulated: they must not know it
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

    /** By which a simulation names a file of the form of {@code /etc/hosts}, where names lead to no node. */
    public static final String SIMULATED_HOSTS = "MUSTER_SIMULATED_HOSTS";

    /** Where the package is, in a JVM that the supervisor has started. */
    static final String HOME = "MUSTER_HOME";

    /** Where its caller is, since the JVM itself is in the package. */
    static final String DIRECTORY = "MUSTER_DIRECTORY";

    /** Such a JVM has next to no environment, and so no such variable. */
    private static final String OF_OTHERS = "PATH";

    /**
     * Of a launcher.
     *
     * @param caller what it was given
     * @throws MusterException when a variable that a simulation sets says something else
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
        // Made when it is needed: it takes long to start.
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        return form.withZone(ZoneOffset.UTC).format(time) + "-" + pid;
    }

    /** The same with another environment. */
    public ProcessInfo with(Environment changed) {
        return new ProcessInfo(arguments, changed, directory, pid, launcher, linkSecret, faults);
    }

    /**
     * Where {@code --plugins} or its variable says that more plugins are. They bring options of their own, so it is asked before options are
     * read.
     */
    public Optional<Path> pluginDirectory() {
        return OptionTable.PLUGINS
                .valueIn(arguments)
                .or(() -> OptionTable.PLUGINS.variable().flatMap(environment::value))
                .filter(text -> !text.isEmpty())
                .map(directory::resolve);
    }

    /** Whether a supervisor has started this JVM, and speaks with it at descriptor 0. */
    public static boolean isStartedBySupervisor() {
        return !home().isEmpty() && !System.getenv().containsKey(OF_OTHERS);
    }

    /** The program of the package that this JVM was started from. */
    public static Path program() {
        return Path.of(home()).resolve(Launcher.PROGRAM);
    }

    /** What this JVM itself was started with, where nobody stands before it. */
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

    /** Without what only the launcher may know. */
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
