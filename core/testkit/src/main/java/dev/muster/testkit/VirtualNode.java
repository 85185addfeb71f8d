package dev.muster.testkit;

import dev.muster.runtime.launch.PlanWords;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.MemoryLink;
import dev.muster.runtime.link.MemoryNetwork;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.supervise.Others;
import dev.muster.runtime.supervise.SteppedRun;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** A launcher with the runtime's own supervisor, and processes that a seed makes up. */
final class VirtualNode implements SteppedRun.World {

    static final Duration GRACE = Duration.ofSeconds(4);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;

    private final MemoryNetwork network;
    private final MemoryLink link;
    private final LaunchPlan plan;
    private final RandomGenerator random;
    private final SteppedRun run;
    private final Map<Long, String> running = new TreeMap<>();
    private final List<Moment> story = new ArrayList<>();
    /** How many of a hundred processes fail. */
    private final int failures;

    private Optional<Verdict> verdict = Optional.empty();
    private long wakesAt = Long.MAX_VALUE;
    private boolean isStepping;
    private boolean hasBegun;

    /** @param failures how many of a hundred processes fail */
    VirtualNode(MemoryNetwork network, MemoryLink link, LaunchPlan plan, RandomGenerator random, int failures) {
        this.network = network;
        this.link = link;
        this.plan = VirtualWorld.plan(plan);
        this.random = random;
        this.failures = failures;
        Others others = new Others((Link) link, false, Optional.empty(), Optional.empty());
        run = new SteppedRun(this.plan, GRACE, others, link::clock, this, this::soon);
    }

    MemoryLink link() {
        return link;
    }

    /** It has its plan. */
    void begin() {
        if (isAlive()) {
            link.say(new Said.Planned(
                    plan.equal(),
                    "python3 train.py",
                    plan.outcome() instanceof Outcome.FollowsLeader,
                    PlanWords.watched(plan)));
            hasBegun = true;
            run.begin();
            step();
        }
    }

    /** The launcher gets a SIGTERM. */
    void terminate() {
        if (isAlive() && hasBegun) {
            happens("TERM");
            run.signalled("TERM", SIGTERM);
        }
    }

    /** The launcher and its processes are no more. */
    void kill() {
        if (isAlive()) {
            happens("killed");
            link.kill();
        }
    }

    boolean isAlive() {
        return link.isAlive() && verdict.isEmpty();
    }

    Optional<Verdict> verdict() {
        return verdict;
    }

    int exitCode() {
        return ExitCodes.STANDARD.of(verdict.orElseThrow().cause());
    }

    /** How it has heard that the job ended. */
    Optional<JobEnd> heard() {
        return verdict.flatMap(known -> known.job().end());
    }

    boolean hasFailures() {
        return story.stream()
                .anyMatch(moment ->
                        moment.what().endsWith("fails") || moment.what().endsWith("TERM"));
    }

    private void soon() {
        wakeAt(network.now() + SOON);
    }

    /** One call at a time is ordered, the earliest: were there one for each step, each of them would order the next. */
    private void wakeAt(long time) {
        if (time < wakesAt) {
            wakesAt = time;
            network.at(time, () -> wake(time));
        }
    }

    private void wake(long time) {
        if (wakesAt == time) {
            wakesAt = Long.MAX_VALUE;
            step();
        }
    }

    private void step() {
        if (!isAlive() || !hasBegun || isStepping) {
            return;
        }
        isStepping = true;
        run.step();
        isStepping = false;
        if (run.isDone()) {
            verdict = Optional.of(run.verdict());
            happens("ends with " + exitCode());
            link.say(new Said.Left(exitCode()));
            link.close();
        } else {
            run.nextStep().ifPresent(time -> wakeAt(network.now() + Math.max(SOON, time - link.clock())));
        }
    }

    @Override
    public void start(ProcessSpec process, long pid) {
        running.put(pid, process.id());
        boolean fails = random.nextInt(100) < failures;
        boolean endsByItself = !(process instanceof ProcessSpec.Service) || (fails && random.nextInt(4) == 0);
        if (endsByItself) {
            boolean isStep = process instanceof ProcessSpec.Step;
            network.after(time(isStep ? 1 : 20), () -> ends(pid, fails));
        }
    }

    private void ends(long pid, boolean fails) {
        if (!fails) {
            end(pid, Termination.exited(0));
        } else if (running.containsKey(pid)) {
            int how = random.nextInt(3);
            happens(running.get(pid) + " fails");
            end(
                    pid,
                    how == 0
                            ? Termination.exited(3)
                            : how == 1 ? Termination.signalled(SIGKILL) : Termination.signalled(SIGTERM));
        }
    }

    private void end(long pid, Termination how) {
        if (isAlive() && running.containsKey(pid)) {
            run.ended(running.remove(pid), how);
        }
    }

    @Override
    public void signal(String signal, long pid) {
        if (signal.equals("KILL")) {
            network.after(SOON, () -> end(pid, Termination.signalled(SIGKILL)));
        } else if (signal.equals("TERM") && random.nextInt(5) > 0) {
            network.after(time(3), () -> end(pid, Termination.signalled(SIGTERM)));
        }
    }

    @Override
    public void say(String line) {
        happens(line);
    }

    private void happens(String what) {
        story.add(new Moment(network.now(), what));
    }

    /** What happened when, put into words for those jobs alone of which a test has to tell. */
    private record Moment(long nanos, String what) {

        @Override
        public String toString() {
            return String.format("%.3f ", nanos / (double) SECOND) + what;
        }
    }

    private long time(int seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    @Override
    public String toString() {
        return link.own().orElse("") + " " + story;
    }
}
