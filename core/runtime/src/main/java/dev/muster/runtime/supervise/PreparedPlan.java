package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.process.Executables;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A plan whose directories and files exist and whose commands were found: every value can be resolved. */
final class PreparedPlan {

    private static final String SEARCH_PATH = "PATH";

    private final LaunchPlan plan;
    private final ValueResolver values;
    private final Environment environment;
    private final Map<String, String> programs = new HashMap<>();

    private PreparedPlan(LaunchPlan plan, ValueResolver values, Environment environment) {
        this.plan = plan;
        this.values = values;
        this.environment = environment;
        Map<List<Object>, String> found = new HashMap<>();
        for (ProcessSpec process : plan.processes()) {
            programs.put(process.id(), program(process, found));
        }
    }

    /**
     * Prepares a plan. It starts nothing.
     *
     * @throws MusterException a required directory or file cannot be made; 127 or 126: a command cannot be run
     */
    static PreparedPlan prepare(LaunchPlan plan, RunTools tools, Ports ports, Environment environment) {
        Consumer<String> warn = tools.console()::warn;
        Set<String> told = new HashSet<>();
        plan.directories().forEach(directory -> make(directory, told, warn));
        plan.processes().forEach(PreparedPlan::requireWorkDirectory);
        if (usesPrivateDirectory(plan)) {
            RunDirectory directory = tools.directory();
            directory.requireTrusted();
            // Made now, before the supervisor is told to remove it at the end.
            directory.path();
            directory
                    .sharedVolume()
                    .ifPresent(volume -> warn.accept("the job's keys lie below " + volume + ", which every user in this"
                            + " container can write to: whoever else runs there could exchange them. Set XDG_RUNTIME_DIR to"
                            + " a directory that only you can write to, if there is one"));
        }
        ValueResolver values = new ValueResolver(plan, tools, ports);
        values.writeFiles();
        return new PreparedPlan(plan, values, environment);
    }

    private static boolean usesPrivateDirectory(LaunchPlan plan) {
        Stream<Value> ofFiles = plan.files().stream().map(GeneratedFile::text);
        Stream<Value> ofProcesses = plan.processes().stream()
                .map(ProcessSpec::launch)
                .flatMap(launch ->
                        Stream.concat(launch.command().stream(), launch.environment().set().values().stream()));
        return Stream.concat(ofFiles, ofProcesses)
                .flatMap(value -> value.leaves().stream())
                .anyMatch(part -> part.is(Value.Kind.PRIVATE_DIRECTORY));
    }

    /** @param told the messages that the user has seen already */
    private static void make(RequiredDirectory directory, Set<String> told, Consumer<String> warn) {
        Path path = Path.of(directory.path());
        try {
            if (directory.required()) {
                Directories.make(path);
            } else {
                // It lies beside the logs, where other users may have put links.
                Directories.makeShared(path);
            }
        } catch (FileException refused) {
            String message = directory.purpose() + ": " + refused.getMessage();
            if (directory.required()) {
                throw new MusterException(ExitCode.CONFIGURATION, message, refused);
            }
            // A thousand ranks may have a directory below the same bad link: one line is enough.
            if (told.add(String.valueOf(refused.getMessage()))) {
                warn.accept(message + "; going on without it");
            }
        }
    }

    private static void requireWorkDirectory(ProcessSpec process) {
        Path directory = Path.of(process.launch().workDirectory());
        if (!Files.isDirectory(directory) || !Files.isExecutable(directory)) {
            String problem = Files.exists(directory) ? "cannot be entered" : "does not exist";
            throw MusterException.configuration("the working directory " + directory + " of " + process.id() + " "
                    + problem + "; choose another with --workdir");
        }
    }

    LaunchPlan plan() {
        return plan;
    }

    /** The command of a process. Its first word is an absolute path. */
    List<String> command(ProcessSpec process) {
        List<String> command = resolve(process.launch().command());
        command.set(0, programs.getOrDefault(process.id(), command.get(0)));
        return command;
    }

    /** The variables that a process gets in addition to those that it inherits. */
    SortedMap<String, String> variables(ProcessSpec process) {
        SortedMap<String, String> variables = new TreeMap<>();
        process.launch().environment().set().forEach((name, value) -> variables.put(name, values.of(value)));
        return variables;
    }

    /** @param found programs by name, search path and working directory: most ranks have the same one */
    private String program(ProcessSpec process, Map<List<Object>, String> found) {
        Launch launch = process.launch();
        // Resolves all words, so that ports are drawn and directories made before the ranks start.
        String first = resolve(launch.command()).get(0);
        boolean isRemoved = launch.environment().remove().contains(SEARCH_PATH);
        Optional<String> searchPath = Optional.ofNullable(variables(process).get(SEARCH_PATH))
                .or(() -> isRemoved
                        ? Optional.empty()
                        : Optional.ofNullable(environment.variables().get(SEARCH_PATH)));
        return found.computeIfAbsent(
                List.of(first, searchPath, launch.workDirectory()),
                question -> Executables.resolve(first, searchPath, Path.of(launch.workDirectory()))
                        .toString());
    }

    private List<String> resolve(List<Value> list) {
        return new ArrayList<>(list.stream().map(values::of).toList());
    }
}
