package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.inputs.InputReuse;
import dev.muster.runtime.inputs.Inputs;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.inputs.WaitContext;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.plan.PlanRanks;
import dev.muster.runtime.plan.PlanValidator;
import dev.muster.runtime.platform.CardResolver;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.DebuggedRank;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.RankInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Gets plans from an engine: reads its inputs, checks its plans, and adds the launcher's own variables, notes and bindings. */
final class Planning {

    private static final String BY_INPUTS = "the inputs";

    private final LoadedEngine engine;
    private final ResolvedJob resolved;
    private final JobSpec job;
    private final RunCount count;
    private final Map<String, String> cards;
    private final Inputs inputs;
    private final Optional<ResetFile> resets;

    /**
     * @param jobContext the context of the job
     * @param reuse in a job that may restart: the inputs that each attempt was planned with
     * @param awaited is told the inputs that the launcher waits for; empty: it waits for none any more
     */
    Planning(
            JobContext jobContext,
            Invocation invocation,
            ResolvedJob resolved,
            RunCount count,
            Optional<InputReuse> reuse,
            Consumer<String> awaited) {
        LaunchContext context = jobContext.context();
        ProcessInfo processInfo = context.processInfo();
        this.engine = invocation.engine();
        this.resolved = resolved;
        this.count = count;
        this.inputs = new Inputs(
                processInfo.directory(),
                processInfo.environment().value("PATH"),
                context.commands(),
                new WaitContext(context.nanoClock(), context.signals()::sleep, awaited),
                new WaitReporter(context.console()::say, context.nanoClock()),
                reuse);
        Restarts.checkResetFile(resolved.settings());
        Restarts.checkHang(resolved.settings());
        this.resets = Restarts.resetFile(resolved);
        this.cards = CardResolver.visible(engine.descriptor(), resolved.node().cards());
        this.job = job(processInfo, invocation.job(), jobContext.activatedVariables());
    }

    private JobSpec job(ProcessInfo processInfo, List<String> command, SortedSet<String> activated) {
        SortedMap<String, String> environment =
                new TreeMap<>(processInfo.environment().variables());
        environment.keySet().removeAll(resolved.foreignVariables());
        environment.putAll(cards);
        return new JobSpec(
                resolved.jobId(),
                resolved.settings().given(OptionTable.JOB_ID).isPresent(),
                command,
                environment,
                resolved.settings().engineOptions(),
                resolved.platform().contract(),
                resolved.settings().duration(OptionTable.INPUT_TIMEOUT),
                processInfo.directory().toString(),
                resolved.places(),
                activated,
                count.run(),
                count.limit());
    }

    /** The launchers of the job as a node sees them, before any wait; empty: there are none, or only the plan tells them. */
    Optional<LauncherNodes> launchers(Node node) {
        return engine.ask(asked -> asked.link(job, node));
    }

    /**
     * The plan of this node.
     *
     * @param deadline how long to wait for inputs; zero: they must be there
     * @return empty when the launcher was told to stop while it waited
     */
    Optional<NodePlan> planThisNode(Duration deadline) {
        List<Input> wanted = wanted();
        Inputs.PendingInputs awaited = inputs.await(wanted, deadline);
        while (true) {
            try {
                Optional<NodePlan> made = awaited.values().map(values -> plan(resolved.node(), parsed(wanted, values)));
                if (made.isEmpty() || awaited.mayStart(ranks(made.get()))) {
                    return made;
                }
            } catch (MusterException refused) {
                if (!absence(refused).map(awaited::rejectForNode).orElse(false)) {
                    throw refused;
                }
            }
        }
    }

    private static Set<Integer> ranks(NodePlan planned) {
        return PlanRanks.of(planned.plan()).stream().map(RankInfo::rank).collect(Collectors.toSet());
    }

    /** The engine's words, if there is no plan because the inputs do not name this node. */
    private static Optional<String> absence(MusterException refused) {
        return refused.getCause() instanceof PlanException no ? no.absence() : Optional.empty();
    }

    /**
     * The plans of all nodes of the job, in node order; empty as in {@link #planThisNode}. There may be thousands, so the list makes each plan
     * when it is read.
     */
    Optional<List<NodePlan>> planAllNodes(Duration deadline) {
        List<Input> wanted = wanted();
        return inputs.await(wanted, deadline)
                .values()
                .map(found -> parsed(wanted, found))
                .map(values -> lazyList(nodes(values), node -> plan(node, values)));
    }

    /** A list that makes each element whenever it is read. */
    static <T, R> List<R> lazyList(List<T> list, Function<T, R> maker) {
        return new AbstractList<>() {
            @Override
            public R get(int index) {
                return maker.apply(list.get(index));
            }

            @Override
            public int size() {
                return list.size();
            }
        };
    }

    /** The programs that the engine asks for. */
    List<Input.Program> programs() {
        return wanted().stream()
                .filter(Input.Program.class::isInstance)
                .map(Input.Program.class::cast)
                .toList();
    }

    private List<Input> wanted() {
        return engine.ask(asked -> List.copyOf(asked.inputs(job, resolved.node())));
    }

    /** The inputs as the engine parses them, once for all nodes. */
    private Map<String, InputValue> parsed(List<Input> wanted, Map<String, InputValue> values) {
        return engine.ask(asked -> {
            Map<String, InputValue> parsed = new HashMap<>();
            for (Input input : wanted) {
                InputValue value = values.get(input.id());
                if (value != null) {
                    parsed.put(input.id(), input.parsed(value));
                }
            }
            return parsed;
        });
    }

    private NodePlan plan(Node node, Map<String, InputValue> values) {
        LaunchPlan planned = engine.ask(
                asked -> EngineResources.read(asked.plan(new PlanRequest(job, node, values)), asked.getClass()));
        LaunchPlan shown = ProcessEnvironments.with(planned, cards);
        LaunchPlan plan = Restarts.withNote(ProcessEnvironments.without(shown, resolved.foreignVariables()), resets);
        ScaleCheck.requireAllNodes(resolved, engine.descriptor().id(), node, plan);
        PlanValidator.validate(engine.descriptor().id(), job, plan);
        boolean isAlone = plan.nodes().orElse(node.count().orElse(0)) == 1;
        PlanValidator.validateRanks(engine.descriptor(), isAlone, values.values(), planned);
        PlanValidator.validateTogether(
                engine.descriptor().id(), plan.launchers().or(() -> launchers(node)), plan);
        // Later attempts may have fewer ranks.
        resolved.settings()
                .given(OptionTable.DEBUG_RANK)
                .filter(any -> count.run() == 1)
                .ifPresent(wanted -> DebuggedRank.require(wanted, plan));
        LaunchPlan told = ProcessEnvironments.with(ScaleCheck.withWarnings(resolved, node, plan), count.variables());
        LaunchPlan noted = ProcessEnvironments.withBuffering(told, job.environment());
        return new NodePlan(job, node, isHere(node) ? bound(noted) : noted, Optional.empty());
    }

    private boolean isHere(Node node) {
        return node.index().equals(resolved.node().index())
                && node.role().equals(resolved.node().role());
    }

    /** Binds ranks of this node only: the CPUs of other nodes are unknown. */
    private LaunchPlan bound(LaunchPlan plan) {
        Setting bind = resolved.settings().find(OptionTable.BIND).orElseThrow();
        if (bind.value().equals(CpuBinding.NONE)) {
            return plan;
        }
        Path root = Path.of("/");
        Optional<String> searchPath = Optional.ofNullable(job.environment().get("PATH"));
        Optional<Path> taskset = Executables.find("taskset", searchPath, List.of("/usr/bin", "/bin"), root);
        return new CpuBinding(bind, new MachineFiles(root), taskset).applied(plan);
    }

    private List<Node> nodes(Map<String, InputValue> values) {
        Node here = resolved.node();
        List<Host> hosts = engine.ask(asked -> values.values().stream()
                .map(InputValue::hosts)
                .filter(listed -> !listed.isEmpty())
                .findFirst()
                .map(List::copyOf)
                .orElse(List.of()));
        if (AllNodes.hasHostPorts(here)) {
            return List.of(here);
        }
        if (!hosts.isEmpty()) {
            return new AllNodes(here, BY_INPUTS).withoutRoles(hosts);
        }
        String origin = resolved.settings()
                .given(OptionTable.HOSTS)
                .map(Setting::origin)
                .orElse("platform " + resolved.platform().name());
        AllNodes all = new AllNodes(here, origin);
        List<String> roles = engine.descriptor().roles();
        return AllNodes.hasRoles(here, roles) ? all.withRoles(roles) : all.withoutRoles(here.hosts());
    }
}
