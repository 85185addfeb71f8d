package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Evaluates which event ends the job of a plan. Only the event loop uses it, until the end is decided. */
record OutcomeEvaluator(AttemptState state) {

    /** The file in which a host of ranks writes one line about why it failed. */
    private static final String WHY = "why";

    private static final Pattern WANTED = Pattern.compile("([0-9]{1,9}|\\?) ([0-9]{1,9})\n");

    private Outcome outcome() {
        return state.processes().plan().outcome();
    }

    /** The cause if this end of a process ends the job. A failure comes before a success by the same end. */
    Optional<Cause> causeAfter(SupervisedProcess process) {
        if (isFailure(process)) {
            return Optional.of(failureCause(process));
        }
        return isDone() ? Optional.of(new Cause.Success()) : Optional.empty();
    }

    /** A running process that hosts ranks outside the plan. */
    Optional<SupervisedProcess> host() {
        return state.processes().hosts().stream()
                .filter(SupervisedProcess::isRunning)
                .findFirst();
    }

    /** A hosted rank was ended by a SIGTERM that Muster did not send. */
    Optional<Cause> hostedRankEnded() {
        return host().flatMap(host -> {
            Matcher note = WANTED.matcher(state.effects().privateText(HostedRanks.STOP_WANTED));
            return note.matches() ? Optional.of(hostedRankEnded(host, note.group(1), note.group(2))) : Optional.empty();
        });
    }

    private static Cause hostedRankEnded(SupervisedProcess host, String number, String pid) {
        ProcessSpec rank = ProcessSpec.task("rank " + number, host.spec().launch());
        Termination how = Termination.signalled(SignalNames.TERM);
        return new Cause.StoppedFromOutside(rank, Long.parseLong(pid), how, Optional.empty());
    }

    private Cause failureCause(SupervisedProcess process) {
        Termination how = Objects.requireNonNull(process.termination());
        Optional<String> refusal = refusal(process.spec());
        if (refusal.isPresent()) {
            return new Cause.Refused(ExitCode.UNAVAILABLE.code(), refusal.get());
        }
        if (process.isOverdue() && process.spec() instanceof ProcessSpec.Hook hook) {
            return Cause.ProcessFailed.overdue(hook, process.pid(), how);
        }
        return isStop(process, how)
                ? new Cause.StoppedFromOutside(process.spec(), process.pid(), how, explanation(process, how))
                : new Cause.ProcessFailed(process.spec(), process.pid(), how, explanation(process, how));
    }

    /** Why an ended service could not bind its port: another process took it. A launcher in another container cannot see that before. */
    private Optional<String> refusal(ProcessSpec process) {
        return !(process instanceof ProcessSpec.Service service)
                ? Optional.empty()
                : state.processes().plan().ports().stream()
                        .filter(port -> port.port() == service.readyWhen().port())
                        .findFirst()
                        .flatMap(state.effects()::refusal);
    }

    /** Whether the job is complete after an end without failure. */
    private boolean isDone() {
        if (outcome().followsLeader()) {
            // A node that follows the leader is done when none of its processes runs any more.
            return state.processes().allHaveEnded();
        }
        return outcome().cases().isEmpty() && state.processes().allTasksHaveEnded();
    }

    /** The cause if this condition ends the job: the first case of the outcome that waits for it. */
    Optional<Cause> causeAfter(Condition condition) {
        return outcome().cases().stream()
                .filter(possible -> possible.when().equals(condition))
                .findFirst()
                .map(met -> new Cause.Decided(met.exitCode(), met.reason()));
    }

    /** The reason that a host of ranks noted, and what the kernel's memory killer did. */
    private Optional<String> explanation(SupervisedProcess process, Termination how) {
        Optional<String> noted = noted(process);
        // This launcher knows nothing about the memory of another node.
        Optional<String> memory = noted.filter(state.effects()::isElsewhere).isPresent()
                ? Optional.empty()
                : state.effects().memoryKills().about(how);
        String known = Stream.concat(noted.stream(), memory.stream()).collect(Collectors.joining("; "));
        return Optional.of(known).filter(text -> !text.isEmpty());
    }

    private Optional<String> noted(SupervisedProcess process) {
        return process.spec()
                .hosted()
                .flatMap(ranks -> state.effects().privateText(WHY).lines().findFirst())
                .map(Printable::escape);
    }

    /** A SIGTERM to a hook is no stop from outside: hooks are commands of the engine, and no platform signals them. */
    private static boolean isStop(SupervisedProcess process, Termination how) {
        return how.isBySigterm() && !(process.spec() instanceof ProcessSpec.Hook);
    }

    /** Whether the end of a process is a failure of the job. */
    boolean isFailure(SupervisedProcess process) {
        if (process.spec() instanceof ProcessSpec.Service service) {
            boolean isAllowed = service.mayEnd() && !process.failed();
            return !isAllowed && !process.endedByUs();
        }
        return process.failed() && !(process.spec() instanceof ProcessSpec.Hook hook && !hook.required());
    }
}
