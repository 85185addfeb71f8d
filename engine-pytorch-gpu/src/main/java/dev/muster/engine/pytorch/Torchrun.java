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
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The torchrun of this node.
 *
 * @param command the words that start it
 * @param isBroken whether it cannot read its own defaults. PyTorch 1 iterates over the members of a flag type to read them. Since
 *     Python 3.11 that omits the default member, so torchrun fails before it starts anything
 */
record Torchrun(List<String> command, boolean isBroken) {

    private static final String NAME = "torchrun";

    /** A rank, and the launcher's program around it. Threads of torchrun are not counted: they differ between PyTorch versions. */
    private static final int TASKS_OF_RANK = 2;

    private static final String MODULE = "torch.distributed.run";
    private static final String OF_INTERPRETER = "torch of the interpreter";
    private static final String OF_PROGRAM = "torch of torchrun";
    private static final Pattern INTERPRETER = Pattern.compile("(?:.*/)?python[0-9.]*");

    /** A cold start of Python from a network file system is slow. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final String USABLE = "torchrun sound";
    private static final String BROKEN = "torchrun broken";

    /** Finds PyTorch without importing it, which takes seconds. Ends with 1 without PyTorch, or if it has no torchrun. */
    private static final String PROBE = String.join(
            ";",
            "import importlib.util,os,re,sys",
            "found=importlib.util.find_spec('torch')",
            "place=os.path.dirname(found and found.origin or '/')",
            "os.path.isfile(place+'/distributed/run.py') or sys.exit(1)",
            "version=re.search(r'__version__.*?([0-9]+)[.][0-9]',open(place+'/version.py').read())",
            "broken=version and int(version.group(1))<2 and sys.version_info>=(3,11)",
            "print('" + BROKEN + "' if broken else '" + USABLE + "')");

    /** Runs the probe with the interpreter in the first line of the torchrun on PATH: torchrun uses the PyTorch of that one. */
    private static final String ASK_PROGRAM =
            "program=$(command -v torchrun) && exec $(sed -n '1s/^#! *//p' \"$program\") -c \"$0\"";

    /**
     * The process that hosts the ranks. Most signals for ranks would end it, and 30 s after a SIGTERM it kills its ranks. So the launcher
     * stops it after the ranks.
     *
     * @param count the least number of ranks
     * @param printing the ranks with their own logs
     */
    static ProcessSpec task(Launch launch, int count, Collection<Integer> printing) {
        return ProcessSpec.task(NAME, launch)
                .withRankLines(FailurePatterns.LINES)
                .withHosted(new HostedRanks(Condition.IMMEDIATELY, TASKS_OF_RANK * count, 0, new TreeSet<>(printing)));
    }

    static List<Input> inputs(JobSpec job) {
        List<Input> inputs = new ArrayList<>();
        String first = job.command().get(0);
        if (INTERPRETER.matcher(first).matches()) {
            inputs.add(new Input.CommandOutput(OF_INTERPRETER, List.of(first, "-c", PROBE), DEADLINE));
        }
        inputs.add(new Input.Program(NAME, NAME, List.of()));
        inputs.add(new Input.CommandOutput(OF_PROGRAM, List.of("/bin/sh", "-c", ASK_PROGRAM, PROBE), DEADLINE));
        return inputs;
    }

    /** The torchrun of the command's interpreter, else the one on PATH. */
    static Torchrun find(PlanRequest request) throws PlanException {
        String first = request.job().command().get(0);
        boolean isPython = INTERPRETER.matcher(first).matches();
        String own = answer(request, OF_INTERPRETER);
        if (isPython && (own.equals(USABLE) || own.equals(BROKEN))) {
            return new Torchrun(List.of(first, "-m", MODULE), own.equals(BROKEN));
        }
        Optional<InputValue.Program> program = request.input(NAME, InputValue.Program.class);
        if (program.isPresent()) {
            return new Torchrun(
                    List.of(program.get().path()), answer(request, OF_PROGRAM).equals(BROKEN));
        }
        String why = isPython
                ? Messages.quote(first) + " has no module " + MODULE
                : "the command does not begin with a Python interpreter";
        throw PlanException.unavailable("there is no torchrun: " + why
                + ", and no program torchrun is on PATH. Install PyTorch, or give -o processes=per-card, which starts"
                + " the same ranks without torchrun");
    }

    private static String answer(PlanRequest request, String id) {
        return request.input(id, InputValue.CommandOutput.class)
                .filter(said -> said.exitCode() == 0)
                .map(said -> said.output().strip())
                .orElse("");
    }

    /** The words that start it, with options and the command of each rank, which runs under the launcher's program. */
    List<Value> command(List<Value> options, List<String> rank) {
        List<Value> words = new ArrayList<>(Launch.literally(command));
        words.addAll(options);
        // Otherwise torchrun would put its own interpreter before the user's.
        words.add(Value.of("--no_python"));
        words.addAll(Value.rankOfHost());
        words.addAll(Launch.literally(rank));
        return words;
    }

    /**
     * The variables that a broken torchrun needs to start.
     *
     * @param ranks the number of ranks of this node, or more
     * @param notes receives the reason
     */
    Map<String, Value> defaults(int ranks, List<Note> notes) {
        if (!isBroken) {
            return Map.of();
        }
        // A redirection for a rank that does not exist has no effect, like the default.
        Value none = Value.of(ranks + ":1");
        notes.add(Note.info("PET_REDIRECTS and PET_TEE are " + ranks
                + ":1: the torchrun of PyTorch 1 cannot read its own defaults on Python 3.11 or newer"));
        return Map.of("PET_REDIRECTS", none, "PET_TEE", none);
    }
}
