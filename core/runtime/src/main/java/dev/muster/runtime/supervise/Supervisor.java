package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Carries out a plan. One thread, the caller's, owns all state; it takes one {@link Event} after another and moves through
 * the phases of a job. The first failure in time is the cause; what the supervisor itself ended is no failure.
 */
final class Supervisor {

    private final LaunchPlan plan;
    private final Events events;
    private final Effects effects;
    private final ConditionWatch conditions;
    private final Roster roster;
    private final Progress progress;
    private final StepSequence opening;
    private final StepSequence telling;
    private final StepSequence closing;
    private final HostedRankEnds hosted;
    private final Stops stops;
    private final Respite respite;
    private final Checkpoint checkpoint;
    private final Serving serving;
    private final Requests requests;
    private final Interruptions interruptions;
    private final Announcements announcements;
    private final Company company;
    private final Parting parting;
    private final Ending ending;
    private final Starter starter;
    private final Orders orders;
    private final Decisions decisions;
    private final CardFaults faults;
    private Phase phase = Phase.OPENING;
    /** Whether nothing can be started or stopped any more. */
    private boolean isLost;

    /** @param resets what is seen there comes as events */
    Supervisor(LaunchPlan plan, StopTimes times, Events events, Effects effects, Others others, Resets resets) {
        this.plan = plan;
        this.events = events;
        this.effects = effects;
        roster = new Roster(plan);
        conditions = roster.watch(plan.outcome(), events);
        ending = new Ending(plan.outcome());
        company = new Company(others, roster, times, effects);
        hosted = new HostedRankEnds(plan, roster, company, conditions, effects, events);
        stops = new Stops(roster, times, effects, events);
        announcements = new Announcements(roster, times, effects);
        respite = new Respite(times, roster, events);
        progress = new Progress(roster, conditions, events, effects, times);
        parting = new Parting(others, company, times, events, effects.waits());
        starter = new Starter(effects, events, conditions, company);
        Judge judge = new Judge(plan.outcome(), roster, effects::privateText, effects::memoryKills);
        faults = new CardFaults(resets, roster, effects, events);
        decisions = new Decisions(
                judge,
                ending,
                roster,
                company,
                respite,
                announcements,
                conditions,
                new FirstFailureResolver(roster, effects),
                faults,
                events);
        serving = new Serving(roster, times, conditions, others.stopsAlone(), effects, events);
        checkpoint = new Checkpoint(times, roster, conditions::isMet, effects, events);
        requests = new Requests(times, stops, checkpoint, effects, new RunList(roster, ending, times));
        interruptions = new Interruptions(ending, roster, parting, respite, stops, decisions, announcements, effects);
        orders = new Orders(ending, parting, company, conditions, hosted, requests::setGrace, decisions::obey);
        telling = new StepSequence(roster.steps(ProcessSpec.Phase.ON_STOP), starter, effects, events);
        opening = new StepSequence(roster.steps(ProcessSpec.Phase.BEFORE_TASKS), starter, effects, events);
        closing = new StepSequence(roster.steps(ProcessSpec.Phase.AFTER_OUTCOME), starter, effects, events);
    }

    /** Runs the plan to its end. Everything that was started has ended when it returns. */
    Verdict run() throws InterruptedException {
        begin();
        while (!isDone()) {
            events.next(nextDeadline()).ifPresent(this::handle);
            goOn();
        }
        return end();
    }

    void begin() {
        conditions.start();
        advance();
    }

    /** Does what follows from all that has happened, and what is due. */
    void goOn() {
        handleReady();
        decisions.goOn();
        advance();
    }

    /** Whether the supervisor of processes was killed meanwhile. */
    boolean isLost() {
        return isLost;
    }

    boolean isDone() {
        return phase == Phase.DONE;
    }

    Verdict end() {
        conditions.close();
        return verdict();
    }

    // --- what happened

    private void handle(Event event) {
        if (event instanceof Event.Ended ended) {
            onEnded(ended);
        } else if (event instanceof Event.SignalReceived signal) {
            signal.taken().run();
            interruptions.signalled(signal);
        } else if (event instanceof Event.ConditionMet met) {
            onCondition(met.condition(), met.nanoTime());
        } else if (event instanceof Event.Told told) {
            orders.heard(told.heard(), told.nanoTime());
        } else if (event instanceof Event.Asked asked) {
            requests.answer(asked);
        } else if (event instanceof Event.FaultsSeen look) {
            faults.heard(look.seen());
        } else if (event instanceof Event.OfSupervisor known) {
            handleOfSupervisor(known);
        } else if (event instanceof Event.Broken broken) {
            // As if it had happened here.
            throw new IllegalStateException("thread " + broken.thread() + ": " + broken.thrown(), broken.thrown());
        }
    }

    private void handleOfSupervisor(Event.OfSupervisor event) {
        stops.heard(event);
        if (event instanceof Event.HostedRanksEnded ended) {
            hosted.ended(ended.id());
        } else if (event instanceof Event.Lost) {
            isLost = true;
            decisions.killed();
        }
    }

    /** All that has happened meanwhile. */
    private void handleReady() {
        for (Optional<Event> next = events.ready(); next.isPresent(); next = events.ready()) {
            handle(next.get());
        }
    }

    private void onEnded(Event.Ended ended) {
        Supervised process = roster.get(ended.id());
        process.ended(ended);
        decisions.ended(process);
    }

    private void onCondition(Condition condition, long when) {
        decisions.met(condition, when);
        for (Supervised process : roster.all()) {
            if (process.spec().startWhen().equals(condition)) {
                process.allowStart();
            }
            starter.tellIfReady(process, when);
        }
    }

    // --- what to do next

    private void advance() {
        Phase before;
        do {
            before = phase;
            stops.advance();
            hosted.look();
            phase = decisions.isPending() ? phase : next();
        } while (phase != before);
    }

    private Phase next() {
        if (isLost && phase.compareTo(Phase.PARTING) < 0) {
            return Phase.PARTING;
        }
        return switch (phase) {
            case OPENING -> open();
            case RUNNING -> {
                startReady();
                yield ending.isOpen() ? phase : leaveInPeace();
            }
            case RESPITE, CHECKPOINT -> leaveInPeace();
            case TELLING -> !ending.isStop() || stops.isHurried() || telling.advance() ? endTasks() : phase;
            case ENDING_TASKS -> stops.areDone() ? Phase.CLOSING : phase;
            case CLOSING -> closing.advance() ? serve() : phase;
            case SERVING -> serve();
            case ENDING_SERVICES -> stops.areDone() ? Phase.PARTING : phase;
            case PARTING -> parting.isOver(ending) ? Phase.DONE : phase;
            case DONE -> phase;
        };
    }

    /** In the order of the plan; what happens meanwhile, above all a signal, is obeyed between two starts. */
    private void startReady() {
        for (Supervised process : roster.all()) {
            if (!(process.spec() instanceof ProcessSpec.Step) && process.isWaiting() && process.mayStart()) {
                handleReady();
                if (!ending.isOpen() || decisions.isPending()) {
                    return;
                }
                starter.start(process);
            }
        }
        announcements.start();
        progress.look().ifPresent(cause -> decisions.begin(cause, events.now()));
    }

    /** Others can be told only with what the first steps prepare; when one of these has failed, they cannot. */
    private Phase open() {
        boolean isTold = ending.isStop()
                && !stops.isHurried()
                && !roster.steps(ProcessSpec.Phase.ON_STOP).isEmpty();
        if ((ending.isOpen() || isTold) && !opening.advance()) {
            return Phase.OPENING;
        }
        return ending.isOpen() ? Phase.RUNNING : leaveInPeace();
    }

    /** Nobody is signalled during the respite, not for another signal either. */
    private Phase leaveInPeace() {
        if (respite.isOn() && !stops.isHurried()) {
            return Phase.RESPITE;
        }
        if (phase == Phase.RESPITE) {
            announcements.respiteOver();
        }
        return checkpoint.isOn(ending) && !stops.isHurried() ? Phase.CHECKPOINT : tellOthers();
    }

    /** While others are told, all but services end already. */
    private Phase tellOthers() {
        if (!faults.beginStop(ending, stops)) {
            stops.beginTasks();
        }
        return Phase.TELLING;
    }

    private Phase endTasks() {
        stops.beginTelling();
        return Phase.ENDING_TASKS;
    }

    private Phase serve() {
        return serving.isOn(ending) && !stops.isHurried() ? Phase.SERVING : endServices();
    }

    private Phase endServices() {
        stops.beginServices(service -> ending.mayBeFollowed() && effects.isKept(service.spec()));
        return Phase.ENDING_SERVICES;
    }

    /** When to go on even if nothing happens. */
    OptionalLong nextDeadline() {
        OptionalLong ofPhase = switch (phase) {
            case OPENING -> opening.deadline();
            case RUNNING -> progress.nextLook();
            case RESPITE -> respite.end();
            case CHECKPOINT -> checkpoint.nextLook();
            case TELLING -> telling.deadline();
            case CLOSING -> closing.deadline();
            case SERVING -> OptionalLong.of(serving.end(ending));
            case PARTING -> parting.nextLook(ending);
            case ENDING_TASKS, ENDING_SERVICES, DONE -> OptionalLong.empty();
        };
        return earliest(ofPhase, earliest(stops.nextLook(), decisions.nextLook()));
    }

    private static OptionalLong earliest(OptionalLong one, OptionalLong other) {
        return one.isEmpty() || (other.isPresent() && other.getAsLong() < one.getAsLong()) ? other : one;
    }

    private Verdict verdict() {
        long now = events.now();
        return new Verdict(
                plan.name(),
                parting.settled(ending),
                roster.reports(now),
                roster.duration(),
                Duration.ofNanos(now - ending.since()),
                parting.report(now));
    }
}
