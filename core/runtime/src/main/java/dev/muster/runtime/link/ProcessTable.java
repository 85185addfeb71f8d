package dev.muster.runtime.link;

import dev.muster.runtime.link.LinkReport.ProcessEnd;
import dev.muster.spi.LauncherNodes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The processes of all launchers, and which launchers watch them. Times are on the leader's clock. */
final class ProcessTable {

    private final Membership membership;
    private final Map<String, Map<String, ProcessEnd>> byLauncher = new HashMap<>();
    private final Set<LinkEvent.ProcessIs> known = new HashSet<>();
    private final Map<String, Set<MemberState>> watchers = new HashMap<>();

    ProcessTable(Membership membership) {
        this.membership = membership;
    }

    void onStarted(MemberState of, LocalEvent.Started started, long now) {
        long startedAt = of.time(started.nanoTime(), now);
        processes(of).put(started.id(), new ProcessEnd(started, startedAt, Optional.empty(), OptionalLong.empty()));
    }

    void onReady(MemberState of, LocalEvent.Ready ready) {
        setState(of, ready.process(), LinkEvent.State.READY);
    }

    void onEnded(MemberState of, LocalEvent.Ended ended, long now) {
        processes(of)
                .computeIfPresent(ended.id(), (id, process) -> process.with(ended, of.time(ended.nanoTime(), now)));
        setState(of, ended.id(), LinkEvent.State.ENDED);
    }

    private Map<String, ProcessEnd> processes(MemberState of) {
        return byLauncher.computeIfAbsent(of.name(), launcher -> new LinkedHashMap<>());
    }

    private void setState(MemberState of, String id, LinkEvent.State state) {
        LinkEvent.ProcessIs event = new LinkEvent.ProcessIs(LauncherNodes.processOf(id, of.name()), state);
        known.add(event);
        tell(event);
    }

    private void tell(LinkEvent.ProcessIs event) {
        watchers.getOrDefault(event.process(), Set.of()).forEach(watcher -> membership.tell(watcher, event));
    }

    /** Tells a launcher the states of a process ({@code id@launcher}), past ones at once. */
    void watch(MemberState watcher, String process) {
        if (!watchers.computeIfAbsent(process, key -> new LinkedHashSet<>()).add(watcher)) {
            return;
        }
        boolean isGone = membership
                .member(LauncherNodes.launcherOf(process))
                .filter(MemberState::isGone)
                .isPresent();
        for (LinkEvent.State state : LinkEvent.State.values()) {
            LinkEvent.ProcessIs event = new LinkEvent.ProcessIs(process, state);
            if (known.contains(event) || (isGone && state == LinkEvent.State.ENDED)) {
                membership.tell(watcher, event);
            }
        }
    }

    /** A launcher is gone: its processes count as ended. */
    void onGone(MemberState member) {
        watchers.keySet().stream()
                .filter(process -> LauncherNodes.launcherOf(process).equals(member.name()))
                .forEach(process -> tell(new LinkEvent.ProcessIs(process, LinkEvent.State.ENDED)));
    }

    /** Another run of the launcher holds its place: forgets the processes of the run before. */
    void forget(MemberState member) {
        byLauncher.remove(member.name());
        known.removeIf(event -> LauncherNodes.launcherOf(event.process()).equals(member.name()));
    }

    List<ProcessEnd> report(String launcher) {
        return List.copyOf(byLauncher.getOrDefault(launcher, Map.of()).values());
    }
}
