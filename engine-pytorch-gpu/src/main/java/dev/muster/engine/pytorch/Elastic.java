package dev.muster.engine.pytorch;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job whose nodes find out at run time how many they are, and meet again when one is lost or comes: only the real torchrun can.
 * The platform speaks to it by the variables that it takes for its options, so it keeps them all.
 */
final class Elastic {

    private static final String ENDPOINT = "PET_RDZV_ENDPOINT";
    private static final String NODES = "PET_NNODES";
    private static final String RESTARTS = "PET_MAX_RESTARTS";
    private static final Pattern NUMBER_OR_RANGE = Pattern.compile("(?:([0-9]{1,4}):)?([0-9]{1,4})");

    /** More processes than a node can have. */
    private static final int BEYOND_ALL = 4096;

    private final PlanRequest request;
    private final OptionValue endpoint;
    private final Cards cards;

    private Elastic(PlanRequest request, OptionValue endpoint) {
        this.request = request;
        this.endpoint = endpoint;
        this.cards = Cards.of(request);
    }

    /** Elsewhere such variables are a leftover, and whoever says how many nodes there are wants that many. */
    static Optional<Elastic> of(PlanRequest request) {
        JobSpec job = request.job();
        boolean isMeant = isMeant(job, request.node());
        return job.variable(ENDPOINT).filter(set -> isMeant).map(endpoint -> new Elastic(request, endpoint));
    }

    static boolean isMeant(JobSpec job, Node node) {
        return node.count().isEmpty()
                && job.platform().variables().contains(ENDPOINT)
                && job.variable(ENDPOINT).isPresent();
    }

    LaunchPlan plan() throws PlanException {
        refuseWhatCannotBe();
        Torchrun torchrun = Torchrun.find(request);
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info("an elastic job: torchrun finds out how many nodes there are" + range() + ", at "
                + Messages.given(endpoint) + restarts()));
        List<Value> command = new ArrayList<>(Launch.literally(torchrun.command()));
        if (isChosen()) {
            command.addAll(Launch.literally(List.of("--nproc_per_node", Integer.toString(cards.count()))));
        }
        command.addAll(Torchrun.rank(request.job().command()));
        Map<String, Value> set = new TreeMap<>(torchrun.defaults(isChosen() ? cards.count() : BEYOND_ALL, notes));
        cards.visible().ifPresent(ids -> set.put(Cards.VISIBLE, Value.of(ids)));
        cards.threads(request).ifPresent(threads -> {
            set.put(Cards.THREADS, Value.of(threads));
            notes.add(cards.note(threads, request));
        });
        return plan(command, set, notes);
    }

    private LaunchPlan plan(List<Value> command, Map<String, Value> set, List<Note> notes) {
        JobSpec job = request.job();
        String label = label();
        Launch launch = new Launch(
                command,
                Variables.changeForTorchrun(job, set),
                job.sharedWorkDirectory(),
                job.id() + "-torchrun-" + label + ".txt");
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(NodeAssignment.directories(job))
                .process(ProcessSpec.task("torchrun", launch)
                        .withRankLines(FailurePatterns.LINES)
                        .withHosted(Torchrun.ranks(0)))
                .notes(notes)
                .over(most());
        return request.node().index().isPresent()
                ? plan.build()
                : plan.name(label).build();
    }

    private void refuseWhatCannotBe() throws PlanException {
        JobSpec job = request.job();
        if (job.restarts() > 0) {
            throw Messages.configuration(
                    "--restarts " + job.restarts() + ", but " + Messages.given(endpoint)
                            + " says that the job is elastic: torchrun itself starts its ranks again",
                    "Leave --restarts out; " + RESTARTS + " tells torchrun how often");
        }
        if (Mode.of(job) != Mode.TORCHRUN) {
            throw Messages.configuration(
                    job.option(Mode.OPTION.name()).map(Messages::given).orElse(Mode.OPTION.name()) + ", but "
                            + Messages.given(endpoint)
                            + " says that the job is elastic: only torchrun finds out how many nodes there are",
                    "Leave it out, or give --nodes N and --node-index I");
        }
        for (String name : List.of(MasterAddress.OPTION.name(), MasterPort.OPTION.name())) {
            Optional<OptionValue> given = job.option(name);
            if (given.isPresent()) {
                throw Messages.usage(
                        Messages.given(given.get()) + ": the nodes of an elastic job meet at "
                                + Messages.given(endpoint),
                        "Leave it out, or give --nodes N and --node-index I, too");
            }
        }
    }

    /** Whether anybody says how many ranks a node has; torchrun counts its cards itself. */
    private boolean isChosen() {
        return request.node().cards().count().isPresent();
    }

    /** What files of this node are called: nobody may know its index. */
    private String label() {
        return request.node().index().isPresent()
                ? "node-" + request.node().index().getAsInt()
                : request.node().machine().hostName().split("\\.", 2)[0];
    }

    private Optional<Matcher> nodes() {
        return request.job()
                .variable(NODES)
                .map(nodes -> NUMBER_OR_RANGE.matcher(nodes.value()))
                .filter(Matcher::matches);
    }

    private int most() {
        return nodes().map(nodes -> Integer.parseInt(nodes.group(2))).orElse(1);
    }

    private String range() {
        return nodes().map(nodes ->
                        ", " + (nodes.group(1) == null ? nodes.group(2) : nodes.group(1) + " to " + nodes.group(2)))
                .orElse("");
    }

    private String restarts() {
        return request.job()
                .variable(RESTARTS)
                .map(restarts -> "; it starts the ranks again when nodes come or go, and " + restarts.value()
                        + " times after a failure (" + RESTARTS + ")")
                .orElse("; it starts the ranks again when nodes come or go");
    }
}
