package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules that every engine keeps, checked on plans of whole clusters in memory. An engine's module extends this class and
 * names its engine; nothing else is needed, for the clusters come from {@link Engine#simulation}. What takes
 * the runtime is in {@code muster-testkit-runtime}: whether it accepts the plans, and what they do when they are carried out.
 *
 * <p>Rules: R1 identity, R2 purity, R3 ranks, R4 environment, R5 files, R7 outcome, R8 refusals.
 *
 * @since 0.1
 */
public abstract class EngineConformance {

    /**
     * The tag of tests that find the same on every JDK, so that it is enough to run them on one: those that read class files and pages,
     * and run nothing of what they check, and those that go through many cases in memory, with the same seeds everywhere. That plans
     * are the same twice is asked of every JDK.
     */
    public static final String ONE_JDK = "one-jdk";

    private static final int DAMAGES = 300;
    /** By package. An engine that is checked with several options has the same classes with all of them. */
    private static final Map<String, JavaClasses> CLASSES = new ConcurrentHashMap<>();

    /** The id of the engine under test, as users give it to {@code --engine}. */
    protected abstract String engineId();

    /** Options of the engine that differ from their defaults; the rules hold with any. */
    protected Map<String, String> engineOptions() {
        return Map.of();
    }

    /** R1: the engine is found by its id through {@link ServiceLoader}, once. */
    @Test
    public void isFoundByItsId() {
        assertThat(ServiceLoader.load(Engine.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(engine -> engine.descriptor().id().equals(engineId())))
                .as("engines with the id %s in META-INF/services/%s", engineId(), Engine.class.getName())
                .hasSize(1);
    }

    /** R1: the jar tells of the engine what the engine tells of itself, so that it can be listed and chosen without its code. */
    @Test
    public void isDeclaredByItsJar() throws IOException {
        JarDeclaration.assertTells(engine());
    }

    /** R1: the descriptor never changes and its options have names of their own. */
    @Test
    public void describesItselfAlwaysTheSame() {
        EngineDescriptor descriptor = engine().descriptor();
        List<String> names = JarDeclaration.optionNames(descriptor);

        assertThat(engine().descriptor()).isEqualTo(descriptor);
        assertThat(descriptor.summary()).isNotBlank().doesNotEndWith(".").doesNotContain("\n");
        assertThat(names).doesNotHaveDuplicates();
    }

    /** R2: the code of the engine keeps {@link EngineRules}. */
    @Tag(ONE_JDK)
    @Test
    public void keepsTheArchitectureRules() {
        String enginePackage = engine().getClass().getPackageName();
        JavaClasses classes = CLASSES.computeIfAbsent(enginePackage, EngineConformance::classes);

        assertThat(classes).as("classes of the engine").isNotEmpty();
        for (ArchRule rule : EngineRules.forEngineIn(enginePackage)) {
            rule.allowEmptyShould(false).check(classes);
        }
    }

    private static JavaClasses classes(String enginePackage) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(enginePackage);
    }

    /** R2: equal requests give equal plans, on any thread, in any locale and time zone. */
    @ParameterizedTest
    @MethodSource("clusters")
    public void plansTheSameTwice(ClusterSize size) throws Exception {
        List<LaunchPlan> plans = cluster(size).plans();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        ExecutorService elsewhere = Executors.newSingleThreadExecutor();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
            assertThat(elsewhere.submit(() -> cluster(size).plans()).get()).isEqualTo(plans);
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
            elsewhere.shutdownNow();
        }
    }

    /** R3: over all nodes the ranks, where tasks have any, are 0..n-1, each once, and every task knows n. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void ranksAreContiguousAcrossAllNodes(ClusterSize size) throws PlanException {
        List<RankInfo> placements = cluster(size).plans().stream()
                .flatMap(EngineConformance::placements)
                .toList();

        assertThat(placements.stream().map(RankInfo::rank).sorted())
                .containsExactlyElementsOf(
                        IntStream.range(0, placements.size()).boxed().toList());
        assertThat(placements).allMatch(placement -> placement.worldSize() == placements.size());
    }

    /** R3: on every node the local ranks are 0..k-1, each once. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void localRanksAreContiguousOnEachNode(ClusterSize size) throws PlanException {
        for (LaunchPlan plan : cluster(size).plans()) {
            List<Integer> local =
                    placements(plan).map(RankInfo::localRank).sorted().toList();
            assertThat(local)
                    .containsExactlyElementsOf(
                            IntStream.range(0, local.size()).boxed().toList());
        }
    }

    /** R3: over so many nodes as a plan says the job runs, where nodes are given whole. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void countsTheNodes(ClusterSize size) throws PlanException {
        VirtualCluster cluster = cluster(size);
        for (int node = 0; node < size.nodes(); node++) {
            LaunchPlan plan = engine().plan(cluster.request(node, Optional.empty()));
            assertThat(plan.nodes().orElse(size.nodes())).isEqualTo(size.nodes());
        }
    }

    /** R3: what a simulation is told of a node's ranks are its tasks and services, unless these host the ranks. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void simulationsKnowTheRanksOfEachNode(ClusterSize size) throws PlanException {
        VirtualCluster cluster = cluster(size);
        for (int node = 0; node < size.nodes(); node++) {
            LaunchPlan plan = engine().plan(cluster.request(node, Optional.empty()));
            List<String> told = cluster.provisions().get(node).ranks();
            boolean isHost = plan.processes().stream()
                    .anyMatch(process -> process.hosted().isPresent());
            if (!told.isEmpty() && !isHost) {
                assertThat(told).containsExactlyInAnyOrderElementsOf(ranks(plan));
            }
        }
    }

    private static List<String> ranks(LaunchPlan plan) {
        return plan.processes().stream()
                .filter(process -> !(process instanceof ProcessSpec.Hook))
                .map(process -> process.placement()
                        .map(placement -> Integer.toString(placement.rank()))
                        .orElse(process.id()))
                .toList();
    }

    /** R4: the engine sets and removes only variables that it says it owns. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void ownsTheVariablesThatItSets(ClusterSize size) throws PlanException {
        Set<String> touched = new HashSet<>();
        for (LaunchPlan plan : cluster(size).plans()) {
            for (ProcessSpec process : plan.processes()) {
                touched.addAll(process.launch().environment().set().keySet());
                touched.addAll(process.launch().environment().remove());
            }
        }
        EngineDescriptor descriptor = engine().descriptor();
        assertThat(touched).allMatch(descriptor::owns);
    }

    /** R5: a file of the same id has the same content on all nodes, so a shared file system does no harm. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void allNodesWriteTheSameFiles(ClusterSize size) throws PlanException {
        Map<String, Value> contents = new HashMap<>();
        for (LaunchPlan plan : cluster(size).plans()) {
            for (GeneratedFile file : plan.files()) {
                assertThat(contents.computeIfAbsent(file.id(), id -> file.text()))
                        .as("content of %s", file.id())
                        .isEqualTo(file.text());
            }
        }
    }

    /** R7: every node's job can end. */
    @Tag(ONE_JDK)
    @ParameterizedTest
    @MethodSource("clusters")
    public void everyNodeEnds(ClusterSize size) throws PlanException {
        for (LaunchPlan plan : cluster(size).plans()) {
            assertThat(canEnd(plan)).isTrue();
        }
    }

    /** Whether there is something for the outcome to be about. */
    private static boolean canEnd(LaunchPlan plan) {
        return plan.outcome().followsLeader()
                || !plan.outcome().cases().isEmpty()
                || plan.processes().stream().anyMatch(ProcessSpec.Task.class::isInstance);
    }

    /** R8: whatever is wrong with an input, the engine refuses it with a {@link PlanException} or can do without. */
    @Test
    public void refusesDamagedInputsInItsOwnWords() throws PlanException {
        VirtualCluster cluster = cluster(new ClusterSize(2, 2));
        for (int seed = 0; seed < DAMAGES; seed++) {
            assertPlansOrRefuses(cluster, seed);
        }
    }

    private void assertPlansOrRefuses(VirtualCluster cluster, int seed) {
        InputDamage damage = new InputDamage(new Random(seed));
        try {
            engine().plan(cluster.request(1, Optional.of("worker"), damage::damage));
        } catch (PlanException refused) {
            assertThat(refused.getMessage())
                    .as("message for damage with seed %d", seed)
                    .isNotBlank();
        } catch (RuntimeException broken) {
            throw new AssertionError("the engine breaks on an input damaged with seed " + seed, broken);
        }
    }

    /** The clusters that the rules are checked on. */
    protected static Stream<ClusterSize> clusters() {
        List<ClusterSize> sizes = new ArrayList<>();
        for (int nodes = 1; nodes <= 4; nodes++) {
            for (int cards : new int[] {1, 2, 8}) {
                sizes.add(new ClusterSize(nodes, cards));
            }
        }
        return sizes.stream();
    }

    /** How large a cluster is. */
    public record ClusterSize(int nodes, int cards) {}

    /** A cluster of this size, with the options of the engine. */
    protected VirtualCluster cluster(ClusterSize size) throws PlanException {
        return VirtualCluster.of(engine(), size.nodes(), size.cards(), engineOptions());
    }

    /** The engine under test. */
    protected Engine engine() {
        return Engines.named(engineId());
    }

    private static Stream<RankInfo> placements(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec::placement).flatMap(Optional::stream);
    }
}
