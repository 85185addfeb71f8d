package dev.muster.runtime.certify;

import dev.muster.runtime.certify.CertifyReport.Finding;
import dev.muster.runtime.certify.Probe.SeenRank;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.simulate.SimulatedWorld;
import dev.muster.runtime.simulate.SimulatedWorld.NodeStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A job of some nodes in which a launcher is held against all rules. */
final class CertifiedJob {

    /** What callers may have: texts of all kinds, bytes that are no UTF-8, a name that no shell knows. */
    static final Map<String, String> OF_CALLER = Map.of(
            "CERTIFY_TEXT", "it's \"$HOME\"  \\ `x`\n\u00fc\u20ac",
            "CERTIFY_BYTES", "\udcff=\udcfe",
            "CERTIFY_EMPTY", "",
            "certify.name", "1");

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_END = Duration.ofSeconds(20);
    private static final Duration TO_VANISH = Duration.ofSeconds(1);
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    /** What a launcher has to stumble over a file that is not as it should be. */
    private static final Duration TO_STUMBLE = Duration.ofSeconds(3);

    private static final int MOST_SHOWN = 4;

    private final SimulatedWorld world;
    private final Environment caller;
    private final Probe probe;
    private final Duration limit;
    private final Supplier<HeldLaunchers> launchers;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    /** As many as the launcher really starts, once that is known. */
    private int ranks;

    /**
     * @param grace what ranks have after SIGTERM, as the launcher was told
     * @param launchers to be started
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
     * @param isOfEngine whether a variable is the engine's affair
     * @param tries told before each trial
     * @throws MusterException 69: it does not start a rank
     */
    List<Finding> hold(Function<Integer, List<String>> launcher, Predicate<String> isOfEngine, Consumer<Rule> tries)
            throws InterruptedException {
        Contract contract = contract(isOfEngine);
        ranks = contract.ranks().size();
        for (Rule rule : Rule.values()) {
            boolean hasTable = rule == Rule.UNREADY_TABLE
                    ? world.hasTables(content -> !unready(content).equals(content))
                    : world.hasTables(content -> true);
            if (rule.isTried(world.nodes().size()) && (hasTable || !rule.isOfTables())) {
                tries.accept(rule);
                tryOut(rule, launcher, contract);
            }
        }
        findings.sort(Comparator.comparing(Finding::rule));
        return findings;
    }

    /** Muster carries out the engine's plan, and what its ranks see counts. */
    private Contract contract(Predicate<String> isOfEngine) throws InterruptedException {
        probe.prepare("print", 0, Set.of());
        world.writeTables(UnaryOperator.identity());
        try (HeldLaunchers started = launchers.get()) {
            start(started, this::muster, probe.program().toString());
            started.ends(TO_START);
            started.left(TO_VANISH);
            List<SeenRank> seen = probe.ranks();
            requireRanks(seen, "Muster itself starts no rank in such a job", started);
            return new Contract(seen, common(), isOfEngine);
        }
    }

    private List<String> muster(int node) {
        List<String> words = new ArrayList<>(world.nodes().get(node).muster());
        words.add("--");
        return words;
    }

    /** The variables that the launchers of all nodes get alike. */
    private Map<String, String> common() {
        Map<String, String> common =
                new TreeMap<>(environment(world.nodes().get(0)).variables());
        world.nodes()
                .forEach(node -> common.entrySet()
                        .retainAll(environment(node).variables().entrySet()));
        return common;
    }

    private void tryOut(Rule rule, Function<Integer, List<String>> launcher, Contract contract)
            throws InterruptedException {
        probe.prepare(rule.behaviour(), ranks, contract.names());
        prepareTables(rule);
        try (HeldLaunchers started = launchers.get()) {
            String program = probe.program() + (rule == Rule.NO_PROGRAM ? "-that-is-not-there" : "");
            start(started, launcher, program);
            boolean isHasty = stumbles(rule, started);
            world.writeTables(UnaryOperator.identity());
            started.until(() -> started.hasAnyEnded() || probe.pids().size() >= ranks, TO_START);
            disturb(rule, started);
            List<Optional<Termination>> ends = started.ends(limit);
            List<String> remains = started.left(rule == Rule.KILLED_LAUNCHER ? AFTER_KILL : TO_VANISH);
            if (rule == Rule.SUCCESS) {
                compare(contract, started);
            }
            judge(rule, ends, remains, isHasty);
        }
    }

    /** Whether a launcher does not wait for a table. */
    private boolean stumbles(Rule rule, HeldLaunchers started) {
        return rule.isOfTables()
                && rule != Rule.CHANGED_TABLE
                && started.until(() -> started.hasAnyEnded() || !probe.pids().isEmpty(), TO_STUMBLE);
    }

    private void prepareTables(Rule rule) {
        switch (rule) {
            case LATE_TABLE -> world.removeTables();
            case HALF_TABLE -> world.writeTables(CertifiedJob::half);
            case UNREADY_TABLE -> world.writeTables(CertifiedJob::unready);
            default -> world.writeTables(UnaryOperator.identity());
        }
    }

    private static String half(String content) {
        return content.substring(0, content.length() / 2);
    }

    private static String unready(String content) {
        return content.replace("completed", "initializing");
    }

    private void disturb(Rule rule, HeldLaunchers started) {
        if (rule.signal() > 0) {
            started.signal(rule.signal());
        }
        if (rule == Rule.CHANGED_TABLE) {
            world.writeTables(CertifiedJob::half);
            started.until(started::hasAnyEnded, TO_VANISH);
            probe.go();
        }
    }

    private void compare(Contract contract, HeldLaunchers started) {
        List<SeenRank> seen = probe.ranks();
        requireRanks(seen, "the launcher starts no rank", started);
        find(Rule.EACH_RANK, seen.size() == ranks, ranks + " ranks", seen.size() + " ranks");
        ranks = seen.size();
        Map<Rule, List<String>> problems = contract.problems(seen);
        for (Rule rule : List.of(Rule.VARIABLES, Rule.INHERITED, Rule.DIRECTORY, Rule.ARGUMENTS)) {
            List<String> broken =
                    problems.getOrDefault(rule, List.of()).stream().distinct().toList();
            find(rule, broken.isEmpty(), "as the engine's plan has it", broken.isEmpty() ? "the same" : shown(broken));
        }
        boolean isWhole = probe.isWhole(started.printed());
        find(Rule.OUTPUT, isWhole, "all lines of all ranks", isWhole ? "all" : "some are missing, or torn");
    }

    private void judge(Rule rule, List<Optional<Termination>> ends, List<String> remains, boolean isHasty) {
        boolean isOver = ends.stream().allMatch(Optional::isPresent);
        boolean isRight = isOver
                && ends.stream().allMatch(end -> rule.isRight(end.orElseThrow().exitCode()));
        boolean areAll = !rule.isOfTables() || probe.pids().size() == ranks;
        // What belongs to a launcher that goes on is not left behind.
        List<String> found = isOver && !remains.isEmpty() ? List.of("it leaves " + shown(remains)) : List.of();
        List<String> seen = described(ends);
        (rule.isOfProcesses() ? seen : left).addAll(found);
        if (rule == Rule.NOTHING_LEFT) {
            seen.addAll(left);
        }
        if (isHasty) {
            seen.add("it does not wait");
        }
        boolean isClean = !rule.isOfProcesses() || (found.isEmpty() && (rule != Rule.NOTHING_LEFT || left.isEmpty()));
        find(rule, isRight && areAll && isClean && !isHasty, rule.expected(), String.join("; ", seen));
        if (rule == Rule.AFTER_TERM) {
            judgeGrace();
        }
    }

    private static List<String> described(List<Optional<Termination>> ends) {
        return new ArrayList<>(ends.stream()
                .map(end -> end.map(Termination::describe).orElse("it goes on"))
                .distinct()
                .toList());
    }

    private void judgeGrace() {
        List<SeenRank> seen = probe.ranks();
        long saved = seen.stream().filter(SeenRank::hasSaved).count();
        List<Long> terms = seen.stream().map(SeenRank::terms).distinct().toList();
        find(
                Rule.GRACE,
                saved == ranks && terms.equals(List.of(1L)),
                "each rank gets it once, and saves for 2 s",
                saved + " of " + ranks + " ranks saved; times that they got it: " + terms);
    }

    private void find(Rule rule, boolean isKept, String expected, String seen) {
        findings.add(Finding.of(rule, world.nodes().size(), isKept, expected, seen));
    }

    private void start(HeldLaunchers started, Function<Integer, List<String>> launcher, String program) {
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

    private static void requireRanks(List<SeenRank> seen, String problem, HeldLaunchers started) {
        if (seen.isEmpty()) {
            String last =
                    started.printed().lines().filter(line -> !line.isBlank()).reduce("nothing", (all, line) -> line);
            throw new MusterException(ExitCode.UNAVAILABLE, problem + "; what was said last: " + last);
        }
    }

    private static String shown(List<String> all) {
        String shown = String.join("; ", all.subList(0, Math.min(MOST_SHOWN, all.size())));
        return all.size() > MOST_SHOWN ? shown + "; and " + (all.size() - MOST_SHOWN) + " more" : shown;
    }
}
