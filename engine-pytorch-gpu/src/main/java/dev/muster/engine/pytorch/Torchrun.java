package dev.muster.engine.pytorch;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The torchrun of this node.
 *
 * @param command how it is started
 * @param pythonVersion of the interpreter that runs it, for example {@code 3.11}; empty when unknown
 * @param torchVersion of the PyTorch that it belongs to, for example {@code 1.13.0}; empty when unknown
 */
record Torchrun(List<String> command, String pythonVersion, String torchVersion) {

    private static final String NAME = "torchrun";

    /** A torchrun that somebody else's script starts. The ranks are below the launcher's program, whatever they are called. */
    private static final SortedSet<String> PASSED = new TreeSet<>(Set.of(NAME));

    /** A rank, and the launcher's program around it. What torchrun itself has beside its first thread differs from PyTorch to PyTorch. */
    private static final int TASKS_OF_RANK = 2;

    private static final String MODULE = "torch.distributed.run";
    private static final String OF_INTERPRETER = "torch of the interpreter";
    private static final String OF_PROGRAM = "torch of torchrun";
    private static final Pattern INTERPRETER = Pattern.compile("python[0-9.]*");

    /** A cold start of Python from a network file system takes its time. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Looks without importing: PyTorch takes seconds to load. Ends with 1 when there is none, or one without torchrun. */
    private static final String PROBE = String.join(
            ";",
            "import importlib.util,os,re,sys",
            "found=importlib.util.find_spec('torch')",
            "place=os.path.dirname(found and found.origin or '/')",
            "os.path.isfile(place+'/distributed/run.py') or sys.exit(1)",
            "version=re.search(r'__version__.*?([0-9]+[.][0-9.]+)',open(place+'/version.py').read())",
            "print('python=%d.%d torch=%s'%(sys.version_info[:2]+(version and version.group(1) or '?',)))");

    /** The interpreter that a torchrun on PATH names in its first line is the one whose PyTorch it runs. */
    private static final String ASK_PROGRAM =
            "program=$(command -v torchrun) && exec $(sed -n '1s/^#! *//p' \"$program\") -c \"$0\"";

    private static final Pattern ANSWER = Pattern.compile("python=([0-9.]+) torch=([0-9.]+|\\?)\\s*");
    private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+).*");
    private static final int FIRST_MINOR_THAT_ENUMERATES_OTHERWISE = 11;

    /**
     * What it starts. It dies of most signals that are for ranks, and kills these 30 s after a SIGTERM of its own, so it is stopped after
     * them.
     *
     * @param count how many there are at least
     */
    static HostedRanks ranks(int count) {
        return new HostedRanks(PASSED, new TreeSet<>(), Condition.IMMEDIATELY, TASKS_OF_RANK * count, 0);
    }

    /** What torchrun is told to start: the launcher's program, under which each rank runs. */
    static List<Value> rank(List<String> command) {
        // Else torchrun would put its own interpreter in front of the user's.
        List<Value> words = new ArrayList<>(List.of(Value.of("--no_python")));
        words.addAll(Value.rankOfHost());
        words.addAll(Launch.literally(command));
        return words;
    }

    static List<Input> inputs(JobSpec job) {
        List<Input> inputs = new ArrayList<>();
        interpreter(job)
                .ifPresent(python ->
                        inputs.add(new Input.CommandOutput(OF_INTERPRETER, List.of(python, "-c", PROBE), DEADLINE)));
        inputs.add(new Input.Program(NAME, NAME, List.of()));
        inputs.add(new Input.CommandOutput(OF_PROGRAM, List.of("/bin/sh", "-c", ASK_PROGRAM, PROBE), DEADLINE));
        return inputs;
    }

    /** That of the command's own interpreter, else the one on PATH. */
    static Torchrun find(PlanRequest request) throws PlanException {
        Optional<String> interpreter = interpreter(request.job());
        Optional<Matcher> own = answer(request, OF_INTERPRETER);
        if (interpreter.isPresent() && own.isPresent()) {
            return of(List.of(interpreter.get(), "-m", MODULE), own);
        }
        Optional<InputValue.Program> program = request.input(NAME, InputValue.Program.class);
        if (program.isPresent()) {
            return of(List.of(program.get().path()), answer(request, OF_PROGRAM));
        }
        String why = interpreter.isPresent()
                ? Messages.quote(interpreter.get()) + " has no module " + MODULE
                : "the command does not begin with a Python interpreter";
        throw new PlanException(
                PlanException.Kind.UNAVAILABLE,
                "there is no torchrun: " + why + ", and no program torchrun is on PATH. Install PyTorch, or give "
                        + "-o processes=per-card, which starts the same ranks without torchrun");
    }

    /**
     * PyTorch 1 goes through the members of a flag type to read them, and since Python 3.11 that leaves out the one that is
     * its default, so it fails before it starts anything.
     */
    private boolean cannotReadItsDefaults() {
        Matcher python = VERSION.matcher(pythonVersion);
        Matcher torch = VERSION.matcher(torchVersion);
        return python.matches()
                && torch.matches()
                && Integer.parseInt(torch.group(1)) < 2
                && python.group(1).equals("3")
                && Integer.parseInt(python.group(2)) >= FIRST_MINOR_THAT_ENUMERATES_OTHERWISE;
    }

    /**
     * The variables without which it would not start.
     *
     * @param ranks of this node, or more
     * @param notes gets why they are set
     */
    Map<String, Value> defaults(int ranks, List<Note> notes) {
        if (!cannotReadItsDefaults()) {
            return Map.of();
        }
        // A redirection for a rank that does not exist is none, as is the default.
        Value none = Value.of(ranks + ":1");
        notes.add(Note.info("PET_REDIRECTS and PET_TEE are " + ranks + ":1: the torchrun of PyTorch " + torchVersion
                + " cannot read its own defaults on Python " + pythonVersion));
        return Map.of("PET_REDIRECTS", none, "PET_TEE", none);
    }

    private static Torchrun of(List<String> command, Optional<Matcher> answer) {
        return new Torchrun(
                command,
                answer.map(found -> found.group(1)).orElse(""),
                answer.map(found -> found.group(2)).orElse(""));
    }

    private static Optional<String> interpreter(JobSpec job) {
        String first = job.command().get(0);
        String name = first.substring(first.lastIndexOf('/') + 1);
        return INTERPRETER.matcher(name).matches() ? Optional.of(first) : Optional.empty();
    }

    private static Optional<Matcher> answer(PlanRequest request, String id) {
        return request.input(id, InputValue.CommandOutput.class)
                .filter(said -> said.exitCode() == 0)
                .map(said -> ANSWER.matcher(said.output()))
                .filter(Matcher::matches);
    }
}
