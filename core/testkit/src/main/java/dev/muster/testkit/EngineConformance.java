package dev.muster.testkit;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineOption;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules that every engine must keep, checked on plans of whole clusters in memory. An engine's module extends this class and
 * names its engine. Nothing else is needed: the clusters come from {@link Engine#simulation}. Tests that need the runtime are in
 * {@code muster-testkit-runtime}: whether it accepts the plans, and what happens when it carries them out.
 *
 * <p>Rules: R1 identity, R2 purity, R3 ranks, R4 environment, R5 files, R7 outcome, R8 refusals, and the user's command of R9.
 *
 * @since 0.1
 */
public abstract class EngineConformance {

    /** The tag of tests whose result is the same on every JDK: it is enough to run them on one. */
    public static final String ONE_JDK = "one-jdk";

    private static final int DAMAGES = 300;
    private static final ClusterSize PAIR = new ClusterSize(2, 2);

    /** The directory for the answers of other JVMs. */
    @TempDir
    protected Path directory;

    /** The id of the engine under test, as users give it to {@code --engine}. */
    protected abstract String engineId();

    /** Options of the engine that differ from their defaults. The rules hold with all options. */
    protected Map<String, String> engineOptions() {
        return Map.of();
    }

    /** R2: its code does not end the JVM, which would end the tests. */
    @BeforeEach
    public void endsNoJvm() {
        Purity.checkEnds(engine().getClass());
    }

    /** R1: {@link ServiceLoader} finds the engine by its id, once. Its jar declares the same as its descriptor. */
    @Test
    public void isWhatItsJarSays() throws Exception {
        IdentityRules rules = new IdentityRules(engine());
        rules.checkDescriptor();
        rules.checkManifest();
    }

    /** R2: its code has no effects. */
    @Tag(ONE_JDK)
    @Test
    public void onlyComputes() {
        Purity.check(engine().getClass());
    }

    /** R2: equal requests give equal plans, in any order, on any thread, in any locale and time zone. */
    @Test
    public void plansTheSameTwice() throws Exception {
        Engine engine = engine();
        List<String> answers = Answers.of(engine, engineOptions(), false);
        Answers.requireEqual("of the same engine", answers, Answers.of(engine, engineOptions(), false));
        Answers.requireEqual("in another order", answers, Answers.of(engine, engineOptions(), true));
        Answers.requireEqual("of another engine object", answers, Answers.of(engine(), engineOptions(), false));
        for (String locale : List.of("ar-EG-u-nu-arab", "tr-TR")) {
            Answers.requireEqual(
                    "in the locale " + locale + ", on other threads",
                    answers,
                    Answers.onThreads(
                            Locale.forLanguageTag(locale), () -> Answers.of(engine(), engineOptions(), false)));
        }
    }

    /** R2: equal requests give equal plans in other JVMs, with another order of sets, and for other users. */
    @Tag(ONE_JDK)
    @Test
    public void plansTheSameElsewhere() throws Exception {
        Answers.checkElsewhere(engine(), engineOptions(), directory);
    }

    /** R3: over all nodes the ranks are 0..n-1, each once; on each node the local ranks are 0..k-1. Simulations know the ranks. */
    @Tag(ONE_JDK)
    @Test
    public void numbersRanksOverAllNodes() throws PlanException {
        for (PlanRules planned : planned(World.USUAL)) {
            planned.checkRanks();
            planned.checkSimulatedRanks();
        }
        planned(World.USUAL, new ClusterSize(12, 16)).ifPresent(PlanRules::checkRanks);
    }

    /** R4: the engine sets and removes only variables that its descriptor owns. */
    @Tag(ONE_JDK)
    @Test
    public void ownsTheVariablesThatItSets() throws PlanException {
        planned(World.USUAL).forEach(PlanRules::checkVariables);
    }

    /** R5: a file of the same id has the same content on all nodes, since nodes may share a file system. */
    @Tag(ONE_JDK)
    @Test
    public void allNodesWriteTheSameFiles() throws PlanException {
        planned(World.USUAL).forEach(PlanRules::checkFiles);
    }

    /** R7: every node's job can end. */
    @Tag(ONE_JDK)
    @Test
    public void everyNodeEnds() throws PlanException {
        planned(World.USUAL).forEach(PlanRules::checkEnds);
    }

    /** R3 to R8: with unusual facts about the nodes, the engine makes a correct plan or refuses. */
    @Tag(ONE_JDK)
    @Test
    public void keepsTheRulesInOtherWorlds() throws PlanException {
        for (World world : World.incomplete()) {
            for (PlanRules planned : planned(world)) {
                if (Collections.disjoint(world.flags(), Set.of(World.Flag.NO_CARDS, World.Flag.NO_COUNT))) {
                    planned.check();
                }
            }
        }
    }

    /** R8: with any values of the user's variables, the engine plans or refuses. */
    @Tag(ONE_JDK)
    @Test
    public void readsVariablesWithCare() throws PlanException {
        ClusterSize size = some();
        for (World world : World.environments(Purity.variables(engine()))) {
            Optional<PlanRules> planned = planned(world, size);
            if (planned.isPresent()) {
                planned.get().checkSecrets();
            }
        }
    }

    /** R3 to R8: each option may have each value that its kind allows. */
    @Tag(ONE_JDK)
    @Test
    public void takesOptionsAtTheirBounds() throws PlanException {
        ClusterSize size = some();
        for (EngineOption option : engine().descriptor().options()) {
            for (String value : World.bounds(option)) {
                Optional<PlanRules> planned = planned(World.ofOption(option, value), size);
                if (planned.isPresent()) {
                    planned.get().check();
                    checkValidity(planned.get().cluster(), planned.get().plans());
                }
            }
        }
    }

    /** R8: the engine refuses a damaged input with a {@link PlanException}, or plans without it. */
    @Test
    public void refusesDamagedInputsInItsOwnWords() throws PlanException {
        VirtualCluster cluster = cluster(some());
        for (int seed = 0; seed < DAMAGES; seed++) {
            InputDamage damage = new InputDamage(new SplittableRandom(seed));
            VirtualCluster damaged = cluster.in(World.USUAL.named("a world with inputs damaged by seed " + seed));
            try {
                damaged.plan(seed % cluster.size(), damage::damage);
            } catch (PlanException refused) {
                // Engines.ask has checked that the refusal has a message.
            }
        }
    }

    /** R9: each word of the user's command reaches a process unchanged. */
    @Tag(ONE_JDK)
    @Test
    public void passesTheCommandOnWordByWord() throws PlanException {
        for (ClusterSize size : List.of(new ClusterSize(1, 1), PAIR)) {
            for (World world : World.commands()) {
                planned(world, size).ifPresent(EngineConformance::requireCommand);
            }
        }
    }

    private static void requireCommand(PlanRules planned) {
        List<String> command = planned.cluster().world().command();
        List<String> known = command.get(0).startsWith("python") ? command.subList(1, command.size()) : command;
        List<List<String>> all = planned.plans().stream()
                .flatMap(plan -> plan.processes().stream())
                .map(EngineConformance::words)
                .toList();
        Rule.SUPERVISION.require(
                all.stream().anyMatch(words -> isWithin(words, known)),
                planned.cluster().where("plan"),
                "no process gets the words of the user's command; there are " + all,
                "end a process's words with Launch.literally(job.command()); never join them to a line for a shell");
    }

    /** Whether a command has these words in this order. The engine may put its own words between them. */
    private static boolean isWithin(List<String> words, List<String> known) {
        int found = 0;
        for (String word : words) {
            found += found < known.size() && word.equals(known.get(found)) ? 1 : 0;
        }
        return found == known.size();
    }

    private static List<String> words(ProcessSpec process) {
        return process.launch().command().stream()
                .map(word -> word.known().orElse(word.text()))
                .toList();
    }

    private List<PlanRules> planned(World world) throws PlanException {
        List<PlanRules> all = new ArrayList<>();
        for (ClusterSize size : clusters()) {
            planned(world, size).ifPresent(all::add);
        }
        return all;
    }

    /** The plans of a cluster; empty: the engine refuses it, and is allowed to. */
    private Optional<PlanRules> planned(World world, ClusterSize size) throws PlanException {
        VirtualCluster cluster = cluster(size).in(world);
        try {
            return Optional.of(new PlanRules(cluster, cluster.plans()));
        } catch (PlanException refusal) {
            Rule.REFUSALS.require(
                    !world.isComplete() || (size.nodes() > 1 && isForOneNode()),
                    cluster.where("plan"),
                    "it refuses a job that has everything: " + refusal.getMessage(),
                    "plan it, or offer in Engine.simulation what the job lacks");
            return Optional.empty();
        }
    }

    /** R6. A subclass that has the runtime overrides it. */
    protected void checkValidity(VirtualCluster cluster, List<LaunchPlan> plans) throws PlanException {}

    /** The size of a job with more than one process. */
    private ClusterSize some() throws PlanException {
        return isForOneNode() ? new ClusterSize(1, 2) : PAIR;
    }

    /** Whether the engine refuses all jobs of several nodes because it is for one node. */
    private boolean isForOneNode() throws PlanException {
        for (ClusterSize size : clusters()) {
            try {
                cluster(size).plans();
                if (size.nodes() > 1) {
                    return false;
                }
            } catch (PlanException refusal) {
                if (size.nodes() == 1 || !String.valueOf(refusal.getMessage()).contains("node")) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The clusters that the rules are checked on. */
    protected static List<ClusterSize> clusters() {
        List<ClusterSize> sizes = new ArrayList<>();
        for (int nodes = 1; nodes <= 4; nodes++) {
            for (int cards : new int[] {1, 2, 8}) {
                sizes.add(new ClusterSize(nodes, cards));
            }
        }
        return sizes;
    }

    /** The size of a cluster. */
    public record ClusterSize(int nodes, int cards) {}

    /** A cluster of this size, with the options of the engine. */
    protected VirtualCluster cluster(ClusterSize size) throws PlanException {
        return VirtualCluster.of(engine(), size.nodes(), size.cards(), engineOptions());
    }

    /** The engine under test. */
    protected Engine engine() {
        return Engines.named(engineId());
    }
}
