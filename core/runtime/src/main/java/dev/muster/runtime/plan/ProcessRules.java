package dev.muster.runtime.plan;

import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RankLines;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Checks the processes, each alone and compared with the others. */
final class ProcessRules {

    /** The longest deadline. The JVM's clock cannot count every possible duration. */
    private static final Duration LONGEST_DEADLINE = Duration.ofDays(365);

    private final LaunchPlan plan;
    private final Problems problems;

    private final Set<String> ids = new HashSet<>();
    private final Set<String> logFiles = new HashSet<>();
    private final Set<Integer> ranks = new HashSet<>();
    private final Set<Integer> localRanks = new HashSet<>();
    private final Set<Integer> worldSizes = new HashSet<>();

    ProcessRules(LaunchPlan plan, Problems problems) {
        this.plan = plan;
        this.problems = problems;
    }

    void check() {
        for (ProcessSpec process : plan.processes()) {
            check(process, "process " + Printable.quote(process.id()));
        }
        problems.require(worldSizes.size() <= 1, "tasks disagree on the world size");
    }

    private void check(ProcessSpec process, String what) {
        problems.require(
                SafeName.matches(process.id()), what + " has an id that is no name; allowed: " + SafeName.FORM);
        problems.require(ids.add(process.id()), what + " occurs twice");
        check(process.launch(), what);
        process.rankLines().ifPresent(lines -> check(lines, what));
        process.placement().ifPresent(placement -> check(placement, what));
        if (process instanceof ProcessSpec.Hook hook) {
            boolean isPositive =
                    !hook.deadline().isNegative() && !hook.deadline().isZero();
            problems.require(isPositive, what + " is a step without a positive deadline");
            problems.require(
                    hook.deadline().compareTo(LONGEST_DEADLINE) <= 0,
                    what + " is a step with the deadline " + hook.deadline());
        }
    }

    private void check(Launch launch, String what) {
        problems.require(!launch.command().isEmpty(), what + " has no command");
        check(launch.environment(), what);
        problems.require(
                PlaceRules.isAbsolute(launch.workDirectory()),
                what + " has the working directory " + Printable.quote(launch.workDirectory())
                        + ", which is not absolute");
        PlaceRules.checkName(launch.logFile(), what + " has the log file", problems);
        problems.require(
                logFiles.add(launch.logFile()),
                what + " has the log file " + Printable.quote(launch.logFile()) + ", which another process has too");
    }

    private void check(EnvironmentChange environment, String what) {
        environment.set().keySet().forEach(name -> checkName(name, what));
        for (String name : environment.remove()) {
            checkName(name, what);
            problems.require(
                    !environment.set().containsKey(name),
                    what + " both sets and removes the variable " + Printable.quote(name));
        }
    }

    private void checkName(String name, String what) {
        boolean isLegal = !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
        problems.require(isLegal, what + " has the variable " + Printable.quote(name) + ", which is no legal name");
    }

    private void check(RankInfo placement, String what) {
        boolean isInside = placement.rank() >= 0 && placement.rank() < placement.worldSize();
        problems.require(isInside, what + " has rank " + placement.rank() + " of " + placement.worldSize());
        problems.require(
                ranks.add(placement.rank()), what + " has rank " + placement.rank() + ", which another task has too");
        problems.require(placement.localRank() >= 0, what + " has local rank " + placement.localRank());
        problems.require(
                localRanks.add(placement.localRank()),
                what + " has local rank " + placement.localRank() + ", which another task has too");
        worldSizes.add(placement.worldSize());
    }

    private void check(RankLines lines, String what) {
        lines.prefixes().forEach(expression -> checkExpression(expression, what));
        checkExpression(lines.own(), what);
        checkExpression(lines.culprit(), what);
    }

    private void checkExpression(String expression, String what) {
        try {
            Pattern.compile(expression);
        } catch (PatternSyntaxException wrong) {
            problems.invalid(what + " knows its ranks' lines by " + Printable.quote(expression)
                    + ", which is no regular expression: " + wrong.getDescription());
        }
    }
}
