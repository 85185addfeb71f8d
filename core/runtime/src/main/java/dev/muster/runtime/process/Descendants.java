package dev.muster.runtime.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who was seen among the descendants of some processes. A process that gives itself to the system, with another session and
 * nothing in its environment, can be recognised by nothing else. It is seen when there is a look while the chain of its parents
 * is whole: as long as each of them lives.
 */
final class Descendants {

    /** Those that live, and the processes that they descend from, by pid. */
    private final Map<Long, ProcessId> ours = new HashMap<>();

    private final Set<Long> roots = new HashSet<>();
    /** All that were ever adopted, by pid: each leads a session of its own. */
    private final Map<Long, ProcessId> leaders = new HashMap<>();
    /** When leaders were seen to end, in ticks since the machine started. */
    private final Map<Long, Long> ends = new ConcurrentHashMap<>();

    /** Everybody that was looked at. */
    private Set<Long> looked = new HashSet<>();
    /** The number that was given out last when the last look began. */
    private long lastNumber;

    private List<ProcessId> born = new ArrayList<>();
    private List<ProcessId> ended = new ArrayList<>();

    Descendants() {}

    /**
     * What looks have shown.
     *
     * @param born descendants that nobody has seen before
     * @param ended descendants that are not there any more
     */
    record News(List<ProcessId> born, List<ProcessId> ended) {}

    /** The numbers that were given out between two looks, one after the other, from the first again behind the highest. */
    private record GivenOut(long after, long last) {

        boolean contains(long pid) {
            return after <= last ? after < pid && pid <= last : after < pid || pid <= last;
        }
    }

    /** From now on its descendants are watched. */
    void adopt(ProcessId root) {
        ours.put(root.pid(), root);
        roots.add(root.pid());
        leaders.put(root.pid(), root);
        // Those that it has started already have been looked at, perhaps, as nobody's.
        looked = new HashSet<>();
    }

    /** Whoever is known to be ours by other signs: its descendants are watched, too. */
    void take(ProcessId process) {
        if (!process.equals(ours.put(process.pid(), process))) {
            born.add(process);
            looked = new HashSet<>();
        }
    }

    /** The one that was adopted last with this number. */
    Optional<ProcessId> leader(long pid) {
        return Optional.ofNullable(leaders.get(pid));
    }

    /** A leader has ended just now. */
    void ended(long leader) {
        ends.put(leader, ProcFiles.uptime());
    }

    /**
     * Whether a process is in the session of a leader that has ended, and was born before that end was heard of. A stranger may have got
     * the number at once, and lead a session of the same number: then there is a process with it.
     */
    boolean isOfEndedLeader(LiveProcess process) {
        ProcessId leader = leaders.get(process.session());
        Long end = ends.get(process.session());
        return leader != null
                && end != null
                && leader.start() <= process.id().start()
                && process.id().start() <= end
                && ProcFiles.identify(process.session()).isEmpty();
    }

    /** Those that are known, but for the ones that were adopted, as they are now. */
    List<LiveProcess> withoutLeaders() {
        return ours.values().stream()
                .filter(process -> !roots.contains(process.pid()))
                .flatMap(process ->
                        ProcFiles.process(process.pid()).filter(now -> now.id().equals(process)).stream())
                .toList();
    }

    boolean contains(ProcessId process) {
        return process.equals(ours.get(process.pid()));
    }

    /** Only new processes are looked at: whoever is nobody's when it begins never becomes a descendant. They may have old numbers. */
    void look() {
        if (ours.isEmpty() && leaders.isEmpty()) {
            // Nobody descends from nobody.
            return;
        }
        GivenOut given = new GivenOut(lastNumber, ProcFiles.lastNumber());
        Set<Long> now = new HashSet<>(ProcFiles.pids());
        if (now.isEmpty()) {
            // Nobody can be seen just now: nobody is known to have ended.
            return;
        }
        lastNumber = given.last();
        // Whoever was looked at may have ended, and somebody else have the number.
        looked.removeIf(given::contains);
        removeEnded(now, given);
        List<LiveProcess> unknown = new ArrayList<>();
        long uptime = ProcFiles.uptime();
        for (long pid : now) {
            if (!looked.contains(pid) && !ours.containsKey(pid)) {
                ProcFiles.process(pid, uptime).ifPresent(unknown::add);
            }
        }
        looked = now;
        boolean isAnyTaken;
        do {
            isAnyTaken = unknown.removeIf(this::isTakenNow);
        } while (isAnyTaken);
    }

    /** Since the last call. */
    News news() {
        News news = new News(born, ended);
        born = new ArrayList<>();
        ended = new ArrayList<>();
        return news;
    }

    private void removeEnded(Set<Long> now, GivenOut given) {
        for (ProcessId process : List.copyOf(ours.values())) {
            long pid = process.pid();
            boolean isThere = now.contains(pid) && (!given.contains(pid) || isStill(process));
            if (!isThere) {
                ours.remove(pid);
                if (!roots.remove(pid) && !born.remove(process)) {
                    ended.add(process);
                }
            }
        }
    }

    private boolean isTakenNow(LiveProcess process) {
        boolean isOurs = isOurs(process.parent()) || isOfEndedLeader(process);
        if (isOurs) {
            ours.put(process.pid(), process.id());
            born.add(process.id());
        }
        return isOurs;
    }

    private boolean isOurs(long parent) {
        return Optional.ofNullable(ours.get(parent))
                .filter(Descendants::isStill)
                .isPresent();
    }

    private static boolean isStill(ProcessId process) {
        return ProcFiles.identify(process.pid()).filter(process::equals).isPresent();
    }
}
