package dev.muster.runtime.certify;

import dev.muster.runtime.certify.CertifyReport.Finding;
import dev.muster.runtime.certify.Probe.SeenRank;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.simulate.SimulatedWorld;
import dev.muster.runtime.simulate.SimulatedWorld.NodeStart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tests a launcher against all rules, in a job of some nodes. */
final class CertifiedJob {

    /** Variables that a caller may have: all kinds of text, bytes that are not UTF-8, a name that shells do not know. */
    static final Map<String, String> OF_CALLER = Map.of(
            "CERTIFY_TEXT", "it's \"$HOME\"  \\ `x`\n\u00fc\u20ac",
            "CERTIFY_BYTES", "\udcff=\udcfe",
            "CERTIFY_EMPTY", "",
            "certify.name", "1");

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_END = Duration.ofSeconds(20);
    private static final Duration TO_VANISH = Duration.ofSeconds(1);
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    /** The time in which a launcher fails because of a bad or missing file, if it does not wait. */
    private static final Duration EARLY_END = Duration.ofSeconds(3);

    private static final int MOST_SHOWN = 4;

    private final SimulatedWorld world;
    private final Environment caller;
    private final Probe probe;
    private final Duration limit;
    private final Supplier<HeldLaunchers> launchers;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    /** The number of ranks; once known, of those that the launcher really starts. */
    private int ranks;

    /**
     * @param grace the time of the ranks after SIGTERM, as the launcher was told
     * @param launchers makes the launchers of a trial
     */
    CertifiedJob(
            SimulatedWorld world, Environment caller, Probe probe, Duration grace, Supplier<HeldLaunchers> launchers) {
        this.world = world;
        this.caller = caller;
        this.probe = probe;
        this.limit = grace.plus(TO_END);
        this.launchers = launchers;
    }

    /**
     * Tries all rules.
     *
     * @param launcher its words on a node, without the training command
     * @param isOfEngine whether the engine decides about a variable
     * @param tries told before each trial
     * @throws MusterException 69: the launcher starts no rank
     */
    List<Finding> test(IntFunction<List<String>> launcher, Predicate<String> isOfEngine, Consumer<Rule> tries)
            throws IOException, InterruptedException {
        Contract contract = contract(isOfEngine);
        ranks = contract.ranks().size();
        for (Rule rule : Rule.ALL) {
            boolean isPossible = !rule.isOfTables()
                    || world.hasTables(content -> !spoil(rule, content).equals(content));
            if (rule.appliesTo(world.nodes().size()) && isPossible) {
                tries.accept(rule);
                tryRule(rule, launcher, contract);
            }
        }
        findings.sort(Comparator.comparing(Finding::rule));
        return findings;
    }

    /** The contract: what the ranks see when Muster runs the engine's plan. */
    private Contract contract(Predicate<String> isOfEngine) throws IOException, InterruptedException {
        probe.prepare("print", 0, Set.of());
        world.writeTables(UnaryOperator.identity());
        try (HeldLaunchers started = launchers.get()) {
            start(
                    started,
                    node -> world.nodes().get(node).muster(),
                    probe.program().toString());
            started.awaitEnds(TO_START);
            started.killRemaining(TO_VANISH);
            return new Contract(ranks("Muster itself starts no rank in such a job", started), common(), isOfEngine);
        }
    }

    /** The variables that are equal for the launchers of all nodes. */
    private Map<String, String> common() {
        Map<String, String> common =
                new TreeMap<>(environment(world.nodes().get(0)).variables());
        world.nodes()
                .forEach(node -> common.entrySet()
                        .retainAll(environment(node).variables().entrySet()));
        return common;
    }

    private void tryRule(Rule rule, IntFunction<List<String>> launcher, Contract contract)
            throws IOException, InterruptedException {
        probe.prepare(rule.trial(), ranks, contract.names());
        prepareTables(rule);
        try (HeldLaunchers started = launchers.get()) {
            start(started, launcher, probe.program() + (rule.is("missing") ? "-that-is-not-there" : ""));
            boolean isHasty = endsEarly(rule, started);
            world.writeTables(UnaryOperator.identity());
            started.await(() -> started.hasAnyEnded() || probe.pids().size() >= ranks, TO_START);
            disturb(rule, started);
            List<Optional<Termination>> ends = started.awaitEnds(limit);
            List<String> remains = started.killRemaining(rule.is("orphan") ? AFTER_KILL : TO_VANISH);
            if (rule.is("print")) {
                compare(contract, started);
            }
            judge(rule, ends, remains, isHasty);
        }
    }

    private void prepareTables(Rule rule) {
        if (rule.is("late")) {
            world.removeTables();
        } else {
            boolean isSpoilt = rule.is("half") || rule.is("unready");
            world.writeTables(content -> isSpoilt ? spoil(rule, content) : content);
        }
    }

    /** The table as changed for a rule about tables. */
    private static String spoil(Rule rule, String content) {
        return rule.is("unready")
                ? content.replace("completed", "initializing")
                : content.substring(0, content.length() / 2);
    }

    /** Whether a launcher does not wait for a table. */
    private boolean endsEarly(Rule rule, HeldLaunchers started) {
        return rule.isOfTables()
                && !rule.is("changed")
                && started.await(() -> started.hasAnyEnded() || !probe.pids().isEmpty(), EARLY_END);
    }

    private void disturb(Rule rule, HeldLaunchers started) throws IOException {
        if (rule.signal() > 0) {
            started.signal(rule.signal());
        }
        if (rule.is("changed")) {
            world.writeTables(content -> spoil(rule, content));
            started.await(started::hasAnyEnded, TO_VANISH);
            probe.release();
        }
    }

    private void compare(Contract contract, HeldLaunchers started) throws IOException {
        List<SeenRank> seen = ranks("the launcher starts no rank", started);
        addFinding("R3.1", seen.size() == ranks, ranks + " ranks", seen.size() + " ranks");
        ranks = seen.size();
        Map<String, Set<String>> problems = contract.problems(seen);
        for (String rule : List.of("R4.1", "R4.2", "R5.1", "R9.1")) {
            String broken = shown(problems.getOrDefault(rule, Set.of()));
            addFinding(rule, broken.isEmpty(), "as the engine's plan has it", broken.isEmpty() ? "the same" : broken);
        }
        boolean isWhole = probe.isComplete(started.printed());
        addFinding("R9.2", isWhole, "all lines of all ranks", isWhole ? "all" : "some are missing, or torn");
    }

    private void judge(Rule rule, List<Optional<Termination>> ends, List<String> remains, boolean isHasty)
            throws IOException {
        boolean isOver = ends.stream().allMatch(Optional::isPresent);
        boolean isRight = isOver
                && ends.stream().allMatch(end -> rule.isRight(end.orElseThrow().exitCode()))
                && (!rule.isOfTables() || probe.pids().size() == ranks);
        List<String> flaws = flaws(rule, isOver ? remains : List.of(), isHasty);
        Stream<String> seen =
                ends.stream().map(end -> end.map(Termination::describe).orElse("it goes on"));
        String all = Stream.concat(seen.distinct(), flaws.stream()).collect(Collectors.joining("; "));
        addFinding(rule.number(), isRight && flaws.isEmpty(), rule.expected(), all);
        if (rule.is("save")) {
            judgeGrace();
        }
    }

    /** @param remains processes of ended launchers; those of a running launcher are not left behind */
    private List<String> flaws(Rule rule, List<String> remains, boolean isHasty) {
        List<String> flaws = new ArrayList<>();
        if (!remains.isEmpty()) {
            (rule.isOfProcesses() ? flaws : left).add("it leaves " + shown(remains));
        }
        if (rule.is("leave")) {
            flaws.addAll(left);
        }
        if (isHasty) {
            flaws.add("it does not wait");
        }
        return flaws;
    }

    private void judgeGrace() throws IOException {
        List<SeenRank> seen = probe.ranks();
        long saved = seen.stream().filter(SeenRank::hasSaved).count();
        List<Long> terms = seen.stream().map(SeenRank::terms).distinct().toList();
        addFinding(
                "R9.3",
                saved == ranks && terms.equals(List.of(1L)),
                "each rank gets it once, and saves for 2 s",
                saved + " of " + ranks + " ranks saved; times that they got it: " + terms);
    }

    private void addFinding(String rule, boolean isKept, String expected, String seen) {
        findings.add(Rule.of(rule).finding(world.nodes().size(), isKept, expected, seen));
    }

    private void start(HeldLaunchers started, IntFunction<List<String>> launcher, String program) {
        for (int node = 0; node < world.nodes().size(); node++) {
            List<String> words = new ArrayList<>(launcher.apply(node));
            words.add(program);
            words.addAll(Probe.ARGUMENTS);
            NodeStart place = world.nodes().get(node);
            started.start(words, environment(place), place.directory());
        }
    }

    private Environment environment(NodeStart node) {
        return caller.changed(OF_CALLER, node.removed()).changed(node.set(), Set.of());
    }

    private List<SeenRank> ranks(String problem, HeldLaunchers started) throws IOException {
        List<SeenRank> seen = probe.ranks();
        if (seen.isEmpty()) {
            String last =
                    started.printed().lines().filter(line -> !line.isBlank()).reduce("nothing", (all, line) -> line);
            throw new MusterException(ExitCode.UNAVAILABLE, problem + "; what was said last: " + last);
        }
        return seen;
    }

    private static String shown(Collection<String> all) {
        String shown = all.stream().limit(MOST_SHOWN).collect(Collectors.joining("; "));
        return all.size() > MOST_SHOWN ? shown + "; and " + (all.size() - MOST_SHOWN) + " more" : shown;
    }
}
