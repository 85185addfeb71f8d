package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan. One thread, the caller's, owns all state; it takes one {@link Event} after another and moves through
 * the phases of a job. The first failure in time is the cause; what the supervisor itself ended is no failure.
 */
final class Supervisor {

    private enum Phase {
        /** The steps before the tasks. */
        OPENING,
        /** Tasks and services start and run. */
        RUNNING,
        /** The outcome is known: tasks end, and what they left behind. */
        ENDING_TASKS,
        /** The steps after the outcome. */
        CLOSING,
        /** Services end in reverse order, then whatever escaped. */
        ENDING_SERVICES,
        DONE
    }

    private final LaunchPlan plan;
    private final Duration grace;
    private final Events events;
    private final Effects effects;
    private final ConditionWatch conditions;
    private final Roster roster;
    private final StepSequence opening;
    private final StepSequence closing;
    private final List<StopSequence> stops = new ArrayList<>();
    private Phase phase = Phase.OPENING;
    private @Nullable Cause cause;
    private int interrupts;
    private boolean announced;

    Supervisor(LaunchPlan plan, Duration grace, Events events, Effects effects) {
        this.plan = plan;
        this.grace = grace;
        this.events = events;
        this.effects = effects;
        roster = new Roster(plan);
        conditions = new ConditionWatch(
                conditionsOf(plan), events::now, met -> events.post(new Event.ConditionMet(met, events.now())));
        opening = new StepSequence(roster.steps(ProcessSpec.Phase.BEFORE_TASKS), this::start, effects, events);
        closing = new StepSequence(roster.steps(ProcessSpec.Phase.AFTER_OUTCOME), this::start, effects, events);
    }

    /** Runs the plan to its end. Everything that was started has ended when it returns. */
    public Verdict run() throws InterruptedException {
        conditions.start();
        advance();
        while (phase != Phase.DONE) {
            Optional<Event> first = events.next(nextDeadline());
            if (first.isPresent()) {
                handle(batch(first.get()));
            }
            advance();
        }
        conditions.close();
        return verdict();
    }

    // --- what happened

    /** All events that are there, oldest first, so that of two failures the earlier one is seen first. */
    private List<Event> batch(Event first) {
        List<Event> batch = new ArrayList<>(List.of(first));
        for (Optional<Event> next = events.ready(); next.isPresent(); next = events.ready()) {
            batch.add(next.get());
        }
        batch.sort(Comparator.comparingLong(Event::nanoTime));
        return batch;
    }

    private void handle(List<Event> batch) {
        for (Event event : batch) {
            if (event instanceof Event.Ended ended) {
                onEnded(ended);
            } else if (event instanceof Event.SignalReceived signal) {
                onSignal(signal);
            } else if (event instanceof Event.ConditionMet met) {
                onCondition(met.condition());
            }
        }
    }

    private void onEnded(Event.Ended ended) {
        Supervised process = roster.get(ended.id());
        process.ended(ended.termination(), ended.nanoTime());
        conditions.ended(ended.id());
        if (cause == null) {
            judge(process);
        }
    }

    private void judge(Supervised process) {
        if (isFailure(process)) {
            Termination how = Objects.requireNonNull(process.termination());
            cause = new Cause.ProcessFailed(process.spec(), process.pid(), how);
            List<ProcessSpec> others = roster.running();
            effects.say(ProcessNames.of(process.spec()) + " (pid " + process.pid() + ") failed: " + how.describe()
                    + (others.isEmpty() ? "" : "; stopping " + ProcessNames.count(others) + graceText()));
        } else if (succeeded(process)) {
            cause = new Cause.Success();
        }
    }

    private boolean isFailure(Supervised process) {
        if (process.spec() instanceof ProcessSpec.Service) {
            return !process.endedByUs();
        }
        return process.failed() && !(process.spec() instanceof ProcessSpec.Step step && !step.required());
    }

    private boolean succeeded(Supervised process) {
        if (plan.outcome() instanceof Outcome.DecidedBy decided) {
            return decided.taskId().equals(process.id());
        }
        return plan.outcome() instanceof Outcome.AllTasks && roster.allTasksHaveEnded();
    }

    private void onCondition(Condition condition) {
        for (Supervised process : roster.all()) {
            if (process.spec().startWhen().equals(condition)) {
                process.allowStart();
            }
            if (process.spec() instanceof ProcessSpec.Service service
                    && service.stopWhen().equals(condition)
                    && process.isRunning()) {
                stop(List.of(process), false);
            }
        }
        if (cause == null && plan.outcome() instanceof Outcome.FirstOf first) {
            for (Outcome.Case possible : first.cases()) {
                if (cause == null && possible.when().equals(condition)) {
                    cause = new Cause.Decided(possible.exitCode(), possible.reason());
                }
            }
        }
    }

    private void onSignal(Event.SignalReceived signal) {
        if (signal.signal().startsWith("USR")) {
            effects.signalProcesses(signal.signal(), roster.pidsOfRunningTasks());
            return;
        }
        interrupts += signal.signal().equals("INT") ? 1 : 0;
        if (cause == null) {
            cause = new Cause.Interrupted(signal.signal(), signal.number());
            effects.say("received SIG" + signal.signal() + "; stopping " + ProcessNames.count(roster.running())
                    + graceText());
        } else if (signal.signal().equals("INT") && interrupts >= 2) {
            effects.say("received SIGINT again; ending the grace period");
            hurryIfAsked();
        } else {
            effects.say("received SIG" + signal.signal() + "; already stopping" + graceText());
        }
    }

    // --- what to do next

    private void advance() {
        Phase before;
        do {
            before = phase;
            stops.removeIf(StopSequence::advance);
            phase = next();
        } while (phase != before);
    }

    private Phase next() {
        return switch (phase) {
            case OPENING -> cause != null ? endTasks() : opening.advance() ? Phase.RUNNING : phase;
            case RUNNING -> {
                startReady();
                yield cause != null ? endTasks() : phase;
            }
            case ENDING_TASKS -> stops.isEmpty() ? Phase.CLOSING : phase;
            case CLOSING -> closing.advance() ? endServices() : phase;
            case ENDING_SERVICES -> stops.isEmpty() ? Phase.DONE : phase;
            case DONE -> phase;
        };
    }

    /** In the order of the plan; what happens meanwhile, above all a signal, is obeyed between two starts. */
    private void startReady() {
        for (Supervised process : roster.all()) {
            if (!(process.spec() instanceof ProcessSpec.Step) && process.isWaiting() && process.mayStart()) {
                events.ready().ifPresent(event -> handle(batch(event)));
                if (cause != null) {
                    return;
                }
                start(process);
            }
        }
        announceStart();
    }

    private void announceStart() {
        List<Supervised> tasks = roster.tasks();
        if (!announced && !tasks.isEmpty() && tasks.stream().noneMatch(Supervised::isWaiting)) {
            announced = true;
            List<ProcessSpec> started = tasks.stream().map(Supervised::spec).toList();
            effects.say("started " + ProcessNames.count(started) + ": " + ProcessNames.list(started));
        }
    }

    private void start(Supervised process) {
        process.starting(events.now());
        process.started(effects.start(process.spec()));
    }

    private Phase endTasks() {
        List<Supervised> ending = new ArrayList<>(roster.tasks());
        ending.addAll(roster.steps(ProcessSpec.Phase.BEFORE_TASKS));
        stop(ending, roster.services().isEmpty());
        return Phase.ENDING_TASKS;
    }

    private Phase endServices() {
        List<Supervised> reversed = new ArrayList<>(roster.services());
        Collections.reverse(reversed);
        if (!reversed.isEmpty()
                || !roster.steps(ProcessSpec.Phase.AFTER_OUTCOME).isEmpty()) {
            reversed.addAll(roster.steps(ProcessSpec.Phase.AFTER_OUTCOME));
            stop(reversed, true);
        }
        return Phase.ENDING_SERVICES;
    }

    private void stop(List<Supervised> ending, boolean withEscaped) {
        StopSequence sequence = new StopSequence(effects, events, ending, grace, withEscaped);
        sequence.begin();
        stops.add(sequence);
        hurryIfAsked();
    }

    private OptionalLong nextDeadline() {
        OptionalLong earliest = OptionalLong.empty();
        for (StopSequence stop : stops) {
            earliest = earlier(earliest, OptionalLong.of(stop.nextLook()));
        }
        if (phase == Phase.OPENING) {
            earliest = earlier(earliest, opening.deadline());
        }
        return phase == Phase.CLOSING ? earlier(earliest, closing.deadline()) : earliest;
    }

    private static OptionalLong earlier(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
    }

    private static List<Condition> conditionsOf(LaunchPlan plan) {
        List<Condition> conditions = new ArrayList<>();
        for (ProcessSpec process : plan.processes()) {
            conditions.add(process.startWhen());
            if (process instanceof ProcessSpec.Service service) {
                conditions.add(service.stopWhen());
            }
        }
        if (plan.outcome() instanceof Outcome.FirstOf first) {
            first.cases().forEach(possible -> conditions.add(possible.when()));
        }
        return conditions;
    }

    /** A second SIGINT ends the grace period, also of what is only going to be stopped. */
    private void hurryIfAsked() {
        if (interrupts >= 2) {
            stops.forEach(StopSequence::hurry);
        }
    }

    private String graceText() {
        return " (grace " + Durations.format(grace) + ")";
    }

    private Verdict verdict() {
        return new Verdict(Objects.requireNonNull(cause), roster.reports(events.now()), roster.duration());
    }
}
