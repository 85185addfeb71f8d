package dev.muster.testkit;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules R3 to R5 and R7, on the plans of all nodes of a cluster. */
record PlanRules(VirtualCluster cluster, List<LaunchPlan> plans) {

    private static final String NUMBER =
            "number the ranks over all nodes, and say with Builder.over how many nodes there are";

    /** Checks all these rules. */
    void check() throws PlanException {
        checkRanks();
        checkSimulatedRanks();
        checkVariables();
        checkSecrets();
        checkFiles();
        checkLaunchers();
        checkEnds();
        checkStarts();
    }

    private String where(int node) {
        return cluster.where("plan") + ", node " + node;
    }

    /** Over all nodes the ranks are 0 to n-1; on each node the local ranks are 0 to k-1. Plans of an incomplete world may warn instead. */
    void checkRanks() {
        boolean isTold = plans.stream().flatMap(plan -> plan.notes().stream()).anyMatch(note -> note.isWarning());
        if (isTold && !cluster.world().isComplete()) {
            return;
        }
        List<RankInfo> all = plans.stream().flatMap(PlanRules::placements).toList();
        List<Integer> ranks = all.stream().map(RankInfo::rank).sorted().toList();
        Rule.RANKS.require(
                isRange(ranks),
                cluster.where("plan"),
                "the ranks of all nodes are " + ranks + ", not 0 to n-1",
                NUMBER);
        for (int node = 0; node < plans.size(); node++) {
            checkNode(node, all.size());
        }
    }

    private void checkNode(int node, int worldSize) {
        LaunchPlan plan = plans.get(node);
        List<Integer> local = placements(plan).map(RankInfo::localRank).sorted().toList();
        Rule.RANKS.require(isRange(local), where(node), "the local ranks are " + local + ", not 0 to k-1", NUMBER);
        placements(plan)
                .forEach(rank -> Rule.RANKS.require(
                        rank.worldSize() == worldSize,
                        where(node),
                        "rank " + rank.rank() + " has the world size " + rank.worldSize() + " of " + worldSize
                                + " ranks",
                        NUMBER));
        Rule.RANKS.require(
                !areNodesWhole(node) || plan.nodes().orElse(plans.size()) == plans.size(),
                where(node),
                "the plan is over " + plan.nodes().orElse(0) + " nodes of " + plans.size(),
                NUMBER);
        plan.processes().forEach(process -> checkRankVariables(process, where(node)));
    }

    /** Whether each container is one node. If roles have their own containers, several containers may belong to one node. */
    private boolean areNodesWhole(int node) {
        return cluster.world().isComplete()
                && (cluster.engine().descriptor().roles().isEmpty()
                        || cluster.node(node).role().isEmpty());
    }

    /** If a process has all variables of ranks, they agree with its {@link RankInfo}. */
    private static void checkRankVariables(ProcessSpec process, String where) {
        if (!process.launch().environment().set().keySet().containsAll(Set.of("RANK", "LOCAL_RANK", "WORLD_SIZE"))) {
            return;
        }
        process.placement()
                .ifPresent(rank -> Map.of(
                                "RANK", rank.rank(), "LOCAL_RANK", rank.localRank(), "WORLD_SIZE", rank.worldSize())
                        .forEach((name, number) -> {
                            Value value = process.launch().environment().set().getOrDefault(name, Value.of(number));
                            Rule.RANKS.require(
                                    value.known().orElse("" + number).equals("" + number),
                                    where + ", process " + process.id(),
                                    name + " is " + value.text() + ", and the RankInfo says " + number,
                                    "give both the same number");
                        }));
    }

    private static boolean isRange(List<Integer> sorted) {
        return sorted.equals(IntStream.range(0, sorted.size()).boxed().toList());
    }

    private static Stream<RankInfo> placements(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec::placement).flatMap(Optional::stream);
    }

    /** The ranks of a {@code NodeProvision} are the node's tasks, and perhaps services, unless a process hosts the ranks. */
    void checkSimulatedRanks() {
        for (int node = 0; node < plans.size(); node++) {
            Set<String> told = new TreeSet<>(cluster.provisions().get(node).ranks());
            List<ProcessSpec> processes = plans.get(node).processes();
            boolean isHost =
                    processes.stream().anyMatch(process -> process.hosted().isPresent());
            Set<String> tasks = names(processes, ProcessSpec.Task.class);
            Set<String> all = new TreeSet<>(tasks);
            all.addAll(names(processes, ProcessSpec.Service.class));
            Rule.RANKS.require(
                    told.isEmpty()
                            || isHost
                            || !areNodesWhole(node)
                            || (told.containsAll(tasks) && all.containsAll(told)),
                    cluster.where("simulation") + ", node " + node,
                    "the simulation has the ranks " + told + ", and the plan the tasks " + tasks,
                    "give NodeProvision.withRanks the ranks of the tasks, or the ids of those without");
        }
    }

    private static Set<String> names(List<ProcessSpec> processes, Class<? extends ProcessSpec> kind) {
        Set<String> names = new TreeSet<>();
        processes.stream()
                .filter(kind::isInstance)
                .forEach(process -> names.add(
                        process.placement().map(rank -> "" + rank.rank()).orElse(process.id())));
        return names;
    }

    void checkVariables() {
        EngineDescriptor descriptor = cluster.engine().descriptor();
        for (int node = 0; node < plans.size(); node++) {
            for (ProcessSpec process : plans.get(node).processes()) {
                Set<String> touched =
                        new TreeSet<>(process.launch().environment().set().keySet());
                touched.addAll(process.launch().environment().remove());
                touched.removeIf(descriptor::owns);
                Rule.ENVIRONMENT.require(
                        touched.isEmpty(),
                        where(node) + ", process " + process.id(),
                        "it changes " + touched + ", which the descriptor does not own",
                        "add the names, or a prefix such as PET_*, to EngineDescriptor.withVariables");
            }
        }
    }

    /** No secret is visible: every user of a machine can read arguments, and anybody may get the logs. */
    void checkSecrets() throws PlanException {
        for (int node = 0; node < plans.size(); node++) {
            LaunchPlan plan = plans.get(node);
            String seen = withoutContents(plan).toString() + cluster.link(node) + cluster.inputs(node);
            Rule.ENVIRONMENT.require(
                    World.SECRETS.stream().noneMatch(seen::contains),
                    where(node),
                    "arguments, notes or names show a secret, such as the value of " + World.SECRET_NAME,
                    "hand it over in a variable or a file: everybody on the machine can read arguments");
        }
    }

    /** The plan without variables of processes and contents of files, which may hold secrets. */
    private static LaunchPlan withoutContents(LaunchPlan plan) {
        return plan.withFiles(plan.files().stream()
                        .map(file -> new GeneratedFile(file.id(), file.directory(), file.name(), ""))
                        .toList())
                .withProcesses(plan.processes().stream()
                        .map(process -> process.withLaunch(withoutVariables(process.launch())))
                        .toList());
    }

    private static Launch withoutVariables(Launch launch) {
        return new Launch(launch.command(), EnvironmentChange.NONE, launch.workDirectory(), launch.logFile());
    }

    void checkFiles() {
        Map<String, Value> contents = new HashMap<>();
        for (int node = 0; node < plans.size(); node++) {
            for (GeneratedFile file : plans.get(node).files()) {
                Value first = contents.computeIfAbsent(file.id(), id -> file.text());
                Rule.FILES.require(
                        first.equals(file.text()),
                        where(node) + ", file " + file.id(),
                        "its content differs from that of another node: \"" + file.text() + "\" is not \"" + first
                                + "\"",
                        "write what holds for all nodes, or give the file an id with the node's name");
            }
            Rule.FILES.require(
                    plans.get(node).equal().equals(plans.get(0).equal()),
                    where(node),
                    "Builder.equal says " + plans.get(node).equal() + ", and on node 0 "
                            + plans.get(0).equal(),
                    "name only what is the same on all nodes");
        }
    }

    /** All nodes name the same launchers, and each node names itself correctly. */
    private void checkLaunchers() throws PlanException {
        List<LauncherNodes> told = new ArrayList<>();
        for (int node = 0; node < plans.size(); node++) {
            launchers(node).ifPresent(told::add);
        }
        Set<String> names = new TreeSet<>();
        told.forEach(each -> names.add(each.own()));
        boolean isOne = told.stream()
                .allMatch(each -> each.leader().equals(told.get(0).leader())
                        && each.all().equals(told.get(0).all()));
        Rule.RANKS.require(
                told.isEmpty() || (isOne && names.size() == plans.size() && told.size() == plans.size()),
                cluster.where("link"),
                "nodes do not agree on the launchers of the job: " + told,
                "name the same launchers and the same leader on all nodes, and give each its own name");
        if (isOne && names.size() == plans.size()) {
            checkConditions(told);
        }
    }

    /** The processes of other launchers that a plan waits for are in the plans of those launchers. */
    private void checkConditions(List<LauncherNodes> launchers) {
        Set<String> there = new HashSet<>();
        for (int node = 0; node < plans.size(); node++) {
            String launcher = launchers.get(node).own();
            plans.get(node).processes().forEach(each -> there.add(LauncherNodes.processOf(each.id(), launcher)));
        }
        for (int node = 0; node < plans.size(); node++) {
            Set<String> awaited = new TreeSet<>();
            plans.get(node).conditions().forEach(condition -> awaited.addAll(condition.ids()));
            awaited.removeIf(id -> !LauncherNodes.isElsewhere(id) || there.contains(id));
            Rule.OUTCOME.require(
                    awaited.isEmpty(),
                    where(node),
                    "it waits for " + awaited + ", which no plan starts",
                    "wait for processes of the other nodes' plans only");
        }
    }

    /** Every node's job can end. */
    void checkEnds() {
        boolean isLed = plans.stream().anyMatch(plan -> !plan.outcome().followsLeader());
        Rule.OUTCOME.require(
                isLed, cluster.where("plan"), "all nodes follow the leader", "let the leader's plan decide the job");
        for (int node = 0; node < plans.size(); node++) {
            LaunchPlan plan = plans.get(node);
            Outcome outcome = plan.outcome();
            boolean hasTask = plan.processes().stream().anyMatch(ProcessSpec.Task.class::isInstance);
            Rule.OUTCOME.require(
                    outcome.followsLeader() || !outcome.cases().isEmpty() || hasTask,
                    where(node),
                    "nothing ends the node: the plan has no task, and its outcome no case",
                    "add a task or a case, or use Outcome.FOLLOWS_LEADER");
            OptionalInt wrong = outcome.cases().stream()
                    .mapToInt(Outcome.Case::exitCode)
                    .filter(code -> code < 0 || code > 255)
                    .findFirst();
            Rule.OUTCOME.require(
                    wrong.isEmpty(), where(node), "a case has the exit code " + wrong.orElse(0), "use 0 to 255");
        }
    }

    /** Every process of every node can start. */
    private void checkStarts() throws PlanException {
        Map<String, LaunchPlan> byLauncher = new HashMap<>();
        for (int node = 0; node < plans.size(); node++) {
            String name = launchers(node).map(LauncherNodes::own).orElse(LauncherNodes.ofNode(node));
            byLauncher.put(name, plans.get(node));
        }
        new StartRules(byLauncher).check(cluster.where("plan"));
    }

    /** The launchers of the job as a node names them. */
    private Optional<LauncherNodes> launchers(int node) throws PlanException {
        return cluster.link(node).or(plans.get(node)::launchers);
    }
}
