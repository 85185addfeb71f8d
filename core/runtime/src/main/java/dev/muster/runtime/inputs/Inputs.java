package dev.muster.runtime.inputs;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Fetches the inputs of an engine, all at the same time, and waits for those that are not ready yet. */
public final class Inputs {

    private final Path directory;
    private final Optional<String> searchPath;
    private final CommandRunner commands;
    private final WaitContext context;
    private final WaitReporter reporter;
    private final Optional<InputReuse> reuse;
    private final Set<String> warned = new HashSet<>();

    /**
     * @param directory the base of relative paths
     * @param searchPath the user's PATH, for programs
     * @param commands asks commands
     * @param reporter tells the user what is awaited, and when it is ready; also shows warnings
     * @param reuse in a job that may restart: the inputs that each attempt was planned with
     */
    public Inputs(
            Path directory,
            Optional<String> searchPath,
            CommandRunner commands,
            WaitContext context,
            WaitReporter reporter,
            Optional<InputReuse> reuse) {
        this.directory = directory;
        this.searchPath = searchPath;
        this.commands = commands;
        this.context = context;
        this.reporter = reporter;
        this.reuse = reuse;
    }

    /**
     * Begins to wait for inputs.
     *
     * @param deadline how long to wait; zero: look once
     */
    public PendingInputs await(List<Input> inputs, Duration deadline) {
        return new PendingInputs(sources(inputs), deadline);
    }

    private List<Source> sources(List<Input> inputs) {
        Map<String, Source> sources = new LinkedHashMap<>();
        for (Input input : inputs) {
            if (sources.put(input.id(), source(input)) != null) {
                throw new MusterException(ExitCode.INTERNAL, "the engine asked for two inputs called " + input.id());
            }
        }
        return List.copyOf(sources.values());
    }

    /** Inputs that are awaited up to one deadline. */
    public final class PendingInputs {

        private static final String ADVICE = "Check the address of this node, and that the file is this job's, or wait"
                + " longer with --input-timeout";

        private final List<Source> sources;
        private final InputWait wait;

        private PendingInputs(List<Source> sources, Duration deadline) {
            this.sources = sources;
            this.wait = new InputWait(deadline, context, reporter, Inputs.this::warn);
        }

        /**
         * The values of the inputs, by their ids, read anew each time.
         *
         * @return empty when the launcher was told to stop meanwhile
         * @throws MusterException {@link ExitCode#DATA} as soon as an input is wrong and waiting cannot help; {@link ExitCode#TEMPORARY}
         *     when inputs are not ready at the deadline. The message names all of them
         */
        public Optional<Map<String, InputValue>> values() {
            List<Source> all = new ArrayList<>(sources);
            reuse.flatMap(InputReuse::recovery).ifPresent(all::add);
            return wait.run(all);
        }

        /** Whether this node's ranks may start. If not, {@link #values} waits until they may, and the caller makes a new plan. */
        public boolean mayStart(Set<Integer> ranks) {
            return reuse.map(files -> files.mayStart(ranks)).orElse(true);
        }

        /**
         * Rejects inputs that leave out this node.
         *
         * @param problem the rest of a sentence
         * @return whether new inputs may come: only in a job that may restart
         */
        public boolean rejectForNode(String problem) {
            reuse.ifPresent(files -> files.reject(new ReadAttempt.NotYet("leaves out this node: " + problem, ADVICE)));
            return reuse.isPresent();
        }
    }

    /** Warns once: the plans of all nodes may need the same file. */
    private void warn(String line) {
        if (warned.add(line)) {
            reporter.say("warning: " + line);
        }
    }

    /** How an input is fetched. */
    private Source source(Input input) {
        if (input instanceof Input.Program program) {
            return new PlainSource(program.id(), "program " + Printable.escape(program.name()), () -> locate(program));
        }
        if (input instanceof Input.CommandOutput command) {
            String subject = "command " + Printable.escape(command.command().get(0));
            return new PlainSource(command.id(), subject, () -> runCommand(command));
        }
        return fileSource(input);
    }

    private ReadAttempt locate(Input.Program program) {
        Optional<Path> found = Executables.find(program.name(), searchPath, program.alsoIn(), directory);
        return new ReadAttempt.Ready(found.map(path -> new InputValue.Program(path.toString())), List.of());
    }

    private ReadAttempt runCommand(Input.CommandOutput command) {
        CommandRunner.Answer answer = commands.ask(command.command(), command.deadline());
        return new ReadAttempt.Ready(new InputValue.CommandOutput(answer.exitCode(), answer.output()));
    }

    private Source fileSource(Input input) {
        if (input instanceof Input.JsonFile json) {
            return new JsonSource(
                    json, directory.resolve(json.path()), reuse.map(files -> files.of(json, context.nanoTime())));
        }
        if (input instanceof Input.TextFile text) {
            Path path = directory.resolve(text.path());
            String subject = Source.subject(text.id(), path);
            return new PlainSource(text.id(), subject, () -> TextFileReader.read(path, subject));
        }
        Input.Listing listing = (Input.Listing) input;
        Path path = directory.resolve(listing.path());
        String subject = Source.subject(listing.id(), path);
        return new PlainSource(listing.id(), subject, () -> names(path, listing.prefix()));
    }

    /** The names in a directory; none if it is missing or not readable. */
    private static ReadAttempt names(Path path, String prefix) {
        return new ReadAttempt.Ready(new InputValue.Text(
                path.toString(),
                ReadableFiles.entries(path, "*").stream()
                        .map(entry -> String.valueOf(entry.getFileName()))
                        .filter(name -> name.startsWith(prefix))
                        .sorted()
                        .collect(Collectors.joining("\n"))));
    }
}
