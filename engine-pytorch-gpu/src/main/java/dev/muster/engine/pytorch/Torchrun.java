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
 * @param command how it is started
 * @param isBroken whether it cannot read its own defaults. PyTorch 1 goes through the members of a flag type to read them, and since
 *     Python 3.11 that leaves out the one that is its default, so it fails before it starts anything
 */
record Torchrun(List<String> command, boolean isBroken) {

    private static final String NAME = "torchrun";

    /** A rank, and the launcher's program around it. What torchrun itself has beside its first thread differs from PyTorch to PyTorch. */
    private static final int TASKS_OF_RANK = 2;

    private static final String MODULE = "torch.distributed.run";
    private static final String OF_INTERPRETER = "torch of the interpreter";
    private static final String OF_PROGRAM = "torch of torchrun";
    private static final Pattern INTERPRETER = Pattern.compile("(?:.*/)?python[0-9.]*");

    /** A cold start of Python from a network file system takes its time. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final String SOUND = "torchrun sound";
    private static final String BROKEN = "torchrun broken";

    /** Looks without importing: PyTorch takes seconds to load. Ends with 1 when there is none, or one without torchrun. */
    private static final String PROBE = String.join(
            ";",
            "import importlib.util,os,re,sys",
            "found=importlib.util.find_spec('torch')",
            "place=os.path.dirname(found and found.origin or '/')",
            "os.path.isfile(place+'/distributed/run.py') or sys.exit(1)",
            "version=re.search(r'__version__.*?([0-9]+)[.][0-9]',open(place+'/version.py').read())",
            "broken=version and int(version.group(1))<2 and sys.version_info>=(3,11)",
            "print('" + BROKEN + "' if broken else '" + SOUND + "')");

    /** The interpreter that a torchrun on PATH names in its first line is the one whose PyTorch it runs. */
    private static final String ASK_PROGRAM =
            "program=$(command -v torchrun) && exec $(sed -n '1s/^#! *//p' \"$program\") -c \"$0\"";

    /**
     * The process that starts the ranks. It dies of most signals that are for ranks, and kills these 30 s after a SIGTERM of its own, so
     * it is stopped after them.
     *
     * @param count how many ranks there are at least
     * @param printing those with logs of their own
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

    /** That of the command's own interpreter, else the one on PATH. */
    static Torchrun find(PlanRequest request) throws PlanException {
        String first = request.job().command().get(0);
        boolean isPython = INTERPRETER.matcher(first).matches();
        String own = answer(request, OF_INTERPRETER);
        if (isPython && (own.equals(SOUND) || own.equals(BROKEN))) {
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

    /** How it is started with options and the command of each rank, which runs under the launcher's program. */
    List<Value> command(List<Value> options, List<String> rank) {
        List<Value> words = new ArrayList<>(Launch.literally(command));
        words.addAll(options);
        // Else torchrun would put its own interpreter in front of the user's.
        words.add(Value.of("--no_python"));
        words.addAll(Value.rankOfHost());
        words.addAll(Launch.literally(rank));
        return words;
    }

    /**
     * The variables without which it would not start.
     *
     * @param ranks of this node, or more
     * @param notes gets why they are set
     */
    Map<String, Value> defaults(int ranks, List<Note> notes) {
        if (!isBroken) {
            return Map.of();
        }
        // A redirection for a rank that does not exist is none, as is the default.
        Value none = Value.of(ranks + ":1");
        notes.add(Note.info("PET_REDIRECTS and PET_TEE are " + ranks
                + ":1: the torchrun of PyTorch 1 cannot read its own defaults on Python 3.11 or newer"));
        return Map.of("PET_REDIRECTS", none, "PET_TEE", none);
    }
}
