package dev.muster.engine.pytorch;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The processes of a node whose index is known. */
final class NodeAssignment {

    private static final Pattern WORLD_SIZE = Pattern.compile("--world[_-]size[= ]([0-9]{1,9})(?![^ ])");

    private final PlanRequest request;
    private final JobSpec job;
    private final Rendezvous rendezvous;
    private final Cards cards;

    NodeAssignment(PlanRequest request) throws PlanException {
        this.request = request;
        this.job = request.job();
        this.rendezvous = Rendezvous.of(job, request.node());
        this.cards = Cards.of(request);
    }

    LaunchPlan plan() throws PlanException {
        if (Mode.of(job.options()) != Mode.TORCHRUN) {
            TorchrunArguments.refuse(job);
        }
        return switch (Mode.of(job.options())) {
            case PER_NODE -> perNode(arguments());
            case PLAIN -> perNode(Map.of());
            case PER_CARD -> perCard();
            case TORCHRUN -> torchrun(Torchrun.find(request));
        };
    }

    /** The command once: the script starts a process for each card itself, with {@code mp.spawn}. Here a rank is a node. */
    private LaunchPlan perNode(Map<String, Value> arguments) {
        List<Value> command = new ArrayList<>(Launch.literally(job.command()));
        arguments.forEach((name, value) -> command.addAll(List.of(Value.of(name), value)));
        Launch launch = launch(command, Variables.toldRestarts(job), "proc-rank-" + rendezvous.index());
        ProcessSpec task = ProcessSpec.task("rank-" + rendezvous.index(), launch)
                .withPlacement(new RankInfo(rendezvous.index(), 0, rendezvous.count()));
        return plan(List.of(task), List.of());
    }

    /** The arguments of ModelArts' contract. Of two arguments with the same name the script would silently use one. */
    private Map<String, Value> arguments() throws PlanException {
        Map<String, Value> arguments = new LinkedHashMap<>();
        String host = rendezvous.address().contains(":") ? "[" + rendezvous.address() + "]" : rendezvous.address();
        ValueText method = new ValueText().add("tcp://" + host + ":").add(rendezvous.port());
        arguments.put("--init_method", method.value());
        if (!rendezvous.isAlone()) {
            arguments.put("--rank", Value.of(rendezvous.index()));
            arguments.put("--world_size", Value.of(rendezvous.count()));
        }
        for (String word : job.command()) {
            String name = word.split("=", 2)[0];
            if (arguments.containsKey(name)) {
                throw new PlanException(
                        PlanException.Kind.USAGE,
                        "the command has " + Messages.quote(word) + ", but " + name
                                + " is appended to it, as the platform's contract says. Take it out, or give"
                                + " -o processes=plain and nothing is appended");
            }
        }
        return arguments;
    }

    /** The command once for each card, with the variables that torchrun sets for ranks. All nodes have the same number of cards. */
    private LaunchPlan perCard() {
        List<ProcessSpec> tasks = new ArrayList<>();
        int worldSize = rendezvous.count() * cards.count();
        for (int card = 0; card < cards.count(); card++) {
            int rank = rendezvous.index() * cards.count() + card;
            Launch launch = launch(
                    Launch.literally(job.command()),
                    variables(rank, card, worldSize),
                    "proc-rank-" + rank + "-device-" + card);
            tasks.add(ProcessSpec.task("rank-" + rank, launch).withPlacement(new RankInfo(rank, card, worldSize)));
        }
        Note note = Note.info("one rank per card: " + Messages.count(cards.count(), "rank") + " on this node ("
                + cards.origin() + ")");
        return plan(tasks, List.of(note));
    }

    /**
     * The variables that torchrun sets for a rank, without TORCHELASTIC_USE_AGENT_STORE: with that, rank 0 would wait for the rendezvous of
     * a torchrun instead of opening one. Scripts read the variables of roles and of torchrun to find out how they were started.
     */
    private Map<String, Value> variables(int rank, int card, int worldSize) {
        Map<String, Value> set = new TreeMap<>(Variables.ncclErrors(job));
        set.put("MASTER_ADDR", Value.of(rendezvous.address()));
        set.put("MASTER_PORT", rendezvous.port());
        set.put("RANK", Value.of(rank));
        set.put("WORLD_SIZE", Value.of(worldSize));
        set.put("LOCAL_RANK", Value.of(card));
        set.put("LOCAL_WORLD_SIZE", Value.of(cards.count()));
        set.put("GROUP_RANK", Value.of(rendezvous.index()));
        set.put("GROUP_WORLD_SIZE", Value.of(rendezvous.count()));
        set.put("ROLE_NAME", Value.of("default"));
        set.put("ROLE_RANK", Value.of(rank));
        set.put("ROLE_WORLD_SIZE", Value.of(worldSize));
        set.putAll(Variables.restarts(job));
        set.put("TORCHELASTIC_RUN_ID", Value.of(job.id()));
        return set;
    }

    /** The real torchrun, with all options that it would otherwise look up. Their spelling works in PyTorch 1 and 2. */
    private LaunchPlan torchrun(Torchrun torchrun) throws PlanException {
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info("torchrun with " + Messages.count(cards.count(), "rank") + " (" + cards.origin() + ")"));
        Launch launch = launch(
                torchrun.command(torchrunOptions(), toldRestarts()),
                torchrun.defaults(cards.count(), notes),
                "torchrun-node-" + rendezvous.index());
        return plan(List.of(Torchrun.task(launch, cards.count(), printing())), notes);
    }

    /** The ranks of this node if all nodes have the same number of cards. Empty if the user tells torchrun where ranks print. */
    private List<Integer> printing() throws PlanException {
        int first = rendezvous.index() * cards.count();
        return TorchrunArguments.redirect(TorchrunArguments.of(job))
                ? List.of()
                : IntStream.range(first, first + cards.count()).boxed().toList();
    }

    private List<Value> torchrunOptions() throws PlanException {
        Map<String, Value> options = new LinkedHashMap<>();
        options.put("--nnodes", Value.of(rendezvous.count()));
        options.put("--node_rank", Value.of(rendezvous.index()));
        options.put("--nproc_per_node", Value.of(cards.count()));
        options.put("--master_addr", Value.of(rendezvous.address()));
        options.put("--master_port", rendezvous.port());
        // The launchers restart ranks on all nodes. A torchrun would restart only its own ranks.
        options.put("--max_restarts", Value.of(0));
        // torchrun must end as soon as its ranks end. Before PyTorch 2.4 it checks them every 5 s.
        options.put("--monitor_interval", Value.of("0.1"));
        List<Value> words = new ArrayList<>();
        options.forEach((name, value) -> words.addAll(List.of(Value.of(name), value)));
        words.addAll(Launch.literally(TorchrunArguments.of(job)));
        return words;
    }

    /** The command of a rank. It sets the restart variables again: torchrun overwrites those of the environment with its own. */
    private List<String> toldRestarts() {
        List<String> words = new ArrayList<>();
        new TreeMap<>(Variables.toldRestarts(job)).forEach((name, value) -> words.add(name + "=" + value.text()));
        if (!words.isEmpty()) {
            words.add(0, "env");
        }
        words.addAll(job.command());
        return words;
    }

    /**
     * The launch of a process. All processes of a node share one working directory, as torchrun's ranks do.
     *
     * @param set the variables that only this mode needs
     * @param logName the log file's name without job id and ending
     */
    private Launch launch(List<Value> command, Map<String, Value> set, String logName) {
        Map<String, Value> variables = new TreeMap<>(set);
        variables.putAll(cards.variables(request));
        return new Launch(
                command,
                Variables.change(job, variables),
                job.sharedWorkDirectory(),
                job.id() + "-" + logName + ".txt");
    }

    /** @param notes the notes of this mode */
    private LaunchPlan plan(List<ProcessSpec> tasks, List<Note> notes) {
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(directories(job))
                .processes(tasks)
                .notes(notes())
                .notes(notes)
                .over(rendezvous.count());
        rendezvous.requiredPort().ifPresent(plan::port);
        if (!rendezvous.isAlone()) {
            requireEqual(plan);
        }
        return plan.build();
    }

    /** With different ports or modes, ranks would wait for each other until the timeout of their library. */
    private void requireEqual(LaunchPlan.Builder plan) {
        Mode mode = Mode.of(job.options());
        plan.equal(Rendezvous.PORT.name(), rendezvous.portText()).equal(Mode.OPTION.name(), mode.word());
        // Other nodes may know the first host under another name. But an address that the user gives must be the same.
        job.option(Rendezvous.ADDRESS.name())
                .ifPresent(given -> plan.equal(Rendezvous.ADDRESS.name(), rendezvous.address()));
        // torchrun itself finds the number of cards of other nodes.
        if (mode != Mode.TORCHRUN) {
            plan.equal("cards", Integer.toString(cards.count()));
        }
    }

    /** The directories to make: none if it is the caller's directory, which exists. */
    static List<RequiredDirectory> directories(JobSpec job) {
        return job.places().workDirectoryPerTask()
                ? List.of()
                : List.of(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
    }

    private List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        List<String> ignored = Variables.ofAnotherLauncher(job);
        if (!ignored.isEmpty() && request.node().count().isEmpty()) {
            notes.add(Note.warning("ignored: " + String.join(", ", ignored) + ". This is taken for a job of one node; "
                    + "--nodes, --node-index and --master-addr say otherwise"));
        }
        if (!rendezvous.isAlone()) {
            notes.add(Note.info("node " + rendezvous.index() + " of " + rendezvous.count() + " meets the others at "
                    + rendezvous.address() + ", port " + rendezvous.portText() + " (" + rendezvous.portOrigin() + ")"));
            Variables.unused("MASTER_ADDR", rendezvous.address(), Rendezvous.ADDRESS, job)
                    .ifPresent(notes::add);
            Variables.unused("MASTER_PORT", rendezvous.portText(), Rendezvous.PORT, job)
                    .ifPresent(notes::add);
        }
        cards.note(request).ifPresent(notes::add);
        otherWorldSize().ifPresent(notes::add);
        return notes;
    }

    /** A warning about another world size in the command: the script would wait for ranks that never start. */
    private Optional<Note> otherWorldSize() {
        Matcher said = WORLD_SIZE.matcher(String.join(" ", job.command()));
        boolean isOther = request.node().count().isEmpty()
                && said.find()
                && !List.of("1", Integer.toString(cards.count())).contains(said.group(1));
        return isOther
                ? Optional.of(Note.warning("the command has " + Messages.quote(said.group()) + ", but this job has "
                        + Messages.count(cards.count(), "rank") + " on one node. Give --nodes N --node-index I --hosts"
                        + " A,B,... on every node, or --cards N"))
                : Optional.empty();
    }
}
