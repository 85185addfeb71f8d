package dev.muster.runtime.link;

import dev.muster.spi.LauncherNodes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The processes of all launchers, and who waits for which. Times are on the leader's clock. */
final class ProcessTable {

    private final Membership membership;
    private final Map<String, Map<String, Known>> byLauncher = new HashMap<>();
    private final Map<String, Set<MemberState>> watchers = new HashMap<>();

    private static final class Known {
        private Said.@Nullable Started started;
        private Said.@Nullable Ended ended;
        private OptionalLong startedAt = OptionalLong.empty();
        private OptionalLong endedAt = OptionalLong.empty();
        private boolean isReady;
    }

    ProcessTable(Membership membership) {
        this.membership = membership;
    }

    void started(MemberState of, Said.Started started, long now) {
        Known process = known(of.name(), started.process());
        process.started = started;
        process.startedAt = OptionalLong.of(of.here(started.nanoTime(), now));
    }

    void ready(MemberState of, Said.Ready ready) {
        known(of.name(), ready.process()).isReady = true;
        tell(LauncherNodes.processOf(ready.process(), of.name()), Heard.State.READY);
    }

    void ended(MemberState of, Said.Ended ended, long now) {
        Known process = known(of.name(), ended.process());
        process.ended = ended;
        process.endedAt = OptionalLong.of(of.here(ended.nanoTime(), now));
        tell(LauncherNodes.processOf(ended.process(), of.name()), Heard.State.ENDED);
    }

    private Known known(String launcher, String id) {
        return byLauncher
                .computeIfAbsent(launcher, key -> new LinkedHashMap<>())
                .computeIfAbsent(id, key -> new Known());
    }

    private void tell(String process, Heard.State state) {
        watchers.getOrDefault(process, Set.of())
                .forEach(watcher -> membership.tell(watcher, new Heard.ProcessIs(process, state)));
    }

    /** From now on this launcher is told of the process ({@code id@launcher}); what happened before is told at once. */
    void watch(MemberState watcher, String process) {
        if (!watchers.computeIfAbsent(process, key -> new LinkedHashSet<>()).add(watcher)) {
            return;
        }
        String launcher = LauncherNodes.launcherOf(process);
        membership.member(launcher).ifPresent(member -> {
            Known known = known(launcher, process.substring(0, process.length() - launcher.length() - 1));
            if (known.isReady) {
                membership.tell(watcher, new Heard.ProcessIs(process, Heard.State.READY));
            }
            if (known.ended != null || member.isGone()) {
                membership.tell(watcher, new Heard.ProcessIs(process, Heard.State.ENDED));
            }
        });
    }

    /** A launcher that is gone has no processes any more. */
    void gone(MemberState member) {
        watchers.keySet().stream()
                .filter(process -> LauncherNodes.launcherOf(process).equals(member.name()))
                .forEach(process -> tell(process, Heard.State.ENDED));
    }

    /** Another run of the launcher has taken its place. */
    void forget(MemberState member) {
        byLauncher.remove(member.name());
    }

    List<LinkReport.ProcessEnd> report(String launcher) {
        return byLauncher.getOrDefault(launcher, Map.of()).entrySet().stream()
                .filter(process -> process.getValue().started != null)
                .map(process -> report(process.getKey(), process.getValue()))
                .toList();
    }

    private static LinkReport.ProcessEnd report(String id, Known process) {
        Optional<Said.Started> started = Optional.ofNullable(process.started);
        Optional<Said.Ended> ended = Optional.ofNullable(process.ended);
        return new LinkReport.ProcessEnd(
                id,
                started.map(Said.Started::rank).orElse(OptionalInt.empty()),
                started.map(Said.Started::pid).orElse(0L),
                started.flatMap(Said.Started::log),
                process.startedAt,
                process.endedAt,
                ended.map(end -> OptionalInt.of(end.exitCode())).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::signal).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::description),
                ended.map(Said.Ended::stoppedByUs).orElse(false));
    }
}
