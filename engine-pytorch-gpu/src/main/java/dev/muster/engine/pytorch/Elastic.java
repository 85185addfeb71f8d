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
import java.util.TreeMap;

/**
 * An elastic job: the number of nodes is known only at run time, and may change. Only the real torchrun supports that. The platform sets
 * torchrun's options by variables, so torchrun keeps all of them.
 */
final class Elastic {

    private static final String RESTARTS = "PET_MAX_RESTARTS";

    /** More processes than a node can have. */
    private static final int BEYOND_ALL = 4096;

    private Elastic() {}

    /** Whether the job is elastic. A given number of nodes makes it a job of that size. */
    static boolean isElastic(Node node) {
        return node.count().isEmpty() && node.elastic().isPresent();
    }

    static LaunchPlan plan(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        OptionValue nodes = request.node().elastic().orElseThrow();
        String endpoint = job.variable(nodes.origin()).map(Messages::given).orElse(nodes.origin());
        refuseUnsupported(job, endpoint);
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info("an elastic job: torchrun finds out how many nodes there are (" + nodes.value() + "), at "
                + endpoint
                + "; it starts the ranks again when nodes come or go, and after failures as often as " + RESTARTS
                + " says"));
        ProcessSpec torchrun = torchrun(request, notes);
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(NodeAssignment.directories(job))
                .process(torchrun)
                .notes(notes)
                .over(Integer.parseInt(nodes.value().split(":", 2)[1]));
        return request.node().index().isPresent()
                ? plan.build()
                : plan.name(label(request.node())).build();
    }

    /** @param notes receives notes for the user */
    private static ProcessSpec torchrun(PlanRequest request, List<Note> notes) throws PlanException {
        JobSpec job = request.job();
        Torchrun torchrun = Torchrun.find(request);
        Cards cards = Cards.of(request);
        // If the number of ranks per node is not given, torchrun counts the cards itself.
        boolean isChosen = request.node().cards().count().isPresent();
        Map<String, Value> set = new TreeMap<>(torchrun.defaults(isChosen ? cards.count() : BEYOND_ALL, notes));
        set.putAll(cards.variables(request));
        cards.note(request).ifPresent(notes::add);
        List<String> options = new ArrayList<>(TorchrunArguments.of(job));
        if (isChosen) {
            options.addAll(List.of("--nproc_per_node", Integer.toString(cards.count())));
        }
        Launch launch = new Launch(
                torchrun.command(Launch.literally(options), job.command()),
                Variables.changeForTorchrun(job, set),
                job.sharedWorkDirectory(),
                job.id() + "-torchrun-" + label(request.node()) + ".txt");
        return Torchrun.task(launch, 0, List.of());
    }

    private static void refuseUnsupported(JobSpec job, String endpoint) throws PlanException {
        if (job.restarts() > 0) {
            throw PlanException.configuration("--restarts " + job.restarts() + ", but " + endpoint
                    + " says that the job is elastic: torchrun itself starts its ranks again. Leave --restarts out; "
                    + RESTARTS + " tells torchrun how often");
        }
        if (Mode.of(job.options()) != Mode.TORCHRUN) {
            throw PlanException.configuration(
                    job.option(Mode.OPTION.name()).map(Messages::given).orElse(Mode.OPTION.name()) + ", but " + endpoint
                            + " says that the job is elastic: only torchrun finds out how many nodes there are."
                            + " Leave it out, or give --nodes N and --node-index I");
        }
    }

    /** The name of this node's files. The index may be unknown. */
    private static String label(Node node) {
        return node.index().isPresent()
                ? "node-" + node.index().getAsInt()
                : node.machine().hostName().split("\\.", 2)[0];
    }
}
