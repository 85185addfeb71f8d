package dev.muster.runtime.process;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks for processes of a run in {@code /proc}. Leaders are known by number and start; others by the group or session of a
 * leader, by the run's marker, or because they were seen among the descendants of one of these.
 */
public final class ProcessTable {

    /** From the fork of a process to its program, on a busy machine too. */
    private static final Duration BIRTH = Duration.ofSeconds(1);

    private final Environments environments;
    private final Descendants descendants = new Descendants();
    private boolean hasMissedSome;
    /** Who was seen with variables that are searched for, or descending from one of these. */
    private final Set<ProcessId> ofCarriers = new HashSet<>();
    /** Who was born a moment ago, and may still become a program with such a variable. */
    private final Set<ProcessId> newborn = new HashSet<>();

    /** @param marker of a run that may be an earlier launcher's */
    public ProcessTable(RunMarker marker) {
        this(marker, 0);
    }

    private ProcessTable(RunMarker marker, long oldest) {
        this.environments = new Environments(marker, oldest);
    }

    /**
     * Of a run of this launcher: nobody who is older than the launcher itself descends from the run's processes. Most of a machine's
     * processes are, and are asked for no more than that.
     */
    public static ProcessTable ofThisLauncher(RunMarker marker) {
        return new ProcessTable(marker, ProcFiles.ownStart());
    }

    /** Whose groups and sessions may be asked for, and whose descendants are ours. */
    public synchronized void adopt(ProcessId leader) {
        descendants.adopt(leader);
    }

    /** A process that was started, adopted by now or not, has ended just now, and its number is free. Never waits. */
    public void ended(long leader) {
        descendants.ended(leader);
    }

    /** To be called several times a second: sees who descends from a leader, as long as that can be seen. */
    public synchronized void look() {
        descendants.look();
    }

    /** Which descendants have come and gone since the last call. */
    synchronized Descendants.News news() {
        return descendants.news();
    }

    /**
     * Who of those that have come carries the run's marker and has one of these variables, or descends from one that has, and was not
     * told before. A program may overwrite its environment later.
     */
    synchronized List<ProcessId> newCarriers(Descendants.News news, Collection<String> variables) {
        if (variables.isEmpty()) {
            return List.of();
        }
        newborn.addAll(news.born());
        newborn.removeAll(news.ended());
        ofCarriers.removeAll(news.ended());
        List<ProcessId> found = new ArrayList<>();
        newborn.removeIf(process -> {
            Optional<LiveProcess> now =
                    ProcFiles.process(process.pid()).filter(there -> there.id().equals(process));
            boolean isOne = now.filter(there -> isCarrier(there, variables)).isPresent();
            if (isOne && ofCarriers.add(process)) {
                found.add(process);
            }
            return isOne || now.isEmpty() || now.get().age().compareTo(BIRTH) > 0;
        });
        return found;
    }

    private boolean isCarrier(LiveProcess process, Collection<String> variables) {
        if (ProcFiles.identify(process.parent()).filter(ofCarriers::contains).isPresent()) {
            return true;
        }
        byte[] environment = ProcFiles.environment(process.pid());
        return environments.isMarked(environment) && hasAny(environment, variables);
    }

    /**
     * The live processes that belong to one of these groups or sessions, carry the run's marker, or are or were seen among the
     * descendants of all these, in the order of their pids.
     *
     * @param groups by their leaders' pids
     */
    public synchronized List<LiveProcess> find(Collection<Long> groups) {
        ProcFiles.All all = ProcFiles.all();
        hasMissedSome = !all.isWhole();
        environments.forgetAllBut(all.live());
        Search search = new Search(new HashSet<>(groups), livingLeaders(groups, all));
        return search.in(all.live());
    }

    /** Whether the last search was told too little to find all: at a limit of open files. */
    public synchronized boolean hasMissedSome() {
        return hasMissedSome;
    }

    /** Those known to descend from leaders that are in one of these groups now, but for leaders. */
    public synchronized List<LiveProcess> members(Collection<Long> groups) {
        Set<Long> asked = new HashSet<>(groups);
        return descendants.withoutLeaders().stream()
                .filter(process -> asked.contains(process.group()))
                .toList();
    }

    /** Those of some leaders that have their number still. A dead one has it until its parent has heard of its end. */
    private Set<Long> livingLeaders(Collection<Long> groups, ProcFiles.All all) {
        Set<ProcessId> there = new HashSet<>(all.dead());
        all.live().forEach(process -> there.add(process.id()));
        Set<Long> living = new HashSet<>();
        for (long group : groups) {
            if (descendants.leader(group).filter(there::contains).isPresent()) {
                living.add(group);
            }
        }
        return living;
    }

    /** One search for those that are ours. */
    private final class Search {

        private final Set<Long> asked;
        /** Groups and sessions that certainly are ours. */
        private final Set<Long> sure;

        private final List<LiveProcess> found = new ArrayList<>();
        private final Set<Long> pids = new HashSet<>();

        Search(Set<Long> asked, Set<Long> sure) {
            this.asked = asked;
            this.sure = new HashSet<>(sure);
        }

        List<LiveProcess> in(List<LiveProcess> all) {
            List<LiveProcess> rest = new ArrayList<>();
            for (LiveProcess process : all) {
                if (isMember(process) || descendants.isOfEndedLeader(process)) {
                    take(process);
                } else {
                    switch (environments.kind(process)) {
                        case MARKED -> take(process);
                        case UNMARKED -> rest.add(process);
                        case THEIRS -> {}
                    }
                }
            }
            // A group in which there is one of ours has always been ours: its number is given to nobody meanwhile.
            boolean isAnyTaken;
            do {
                isAnyTaken = rest.removeIf(this::isTakenNow);
            } while (isAnyTaken);
            found.sort((one, other) -> Long.compare(one.pid(), other.pid()));
            return found;
        }

        private boolean isTakenNow(LiveProcess process) {
            boolean isOurs = isMember(process) || pids.contains(process.parent()) || descendants.contains(process.id());
            if (isOurs) {
                take(process);
            }
            return isOurs;
        }

        private boolean isMember(LiveProcess process) {
            return sure.contains(process.group()) || sure.contains(process.session());
        }

        private void take(LiveProcess process) {
            found.add(process);
            pids.add(process.pid());
            // When its parent has ended, nothing else may tell whose it is.
            descendants.take(process.id());
            if (asked.contains(process.group())) {
                sure.add(process.group());
            }
            if (asked.contains(process.session())) {
                sure.add(process.session());
            }
        }
    }

    /**
     * The live processes that carry the run's marker and have one of these variables, and all that descend from them: a program may
     * overwrite its environment, or start others without. In the order of their pids.
     */
    public synchronized List<Carrier> findCarriers(Collection<String> variables) {
        ProcFiles.All all = ProcFiles.all();
        hasMissedSome = !all.isWhole();
        List<LiveProcess> live = all.live();
        environments.forgetAllBut(live);
        Set<Long> marked = new HashSet<>();
        Map<Long, LiveProcess> found = new TreeMap<>();
        List<LiveProcess> rest = new ArrayList<>();
        for (LiveProcess process : live) {
            Environments.Kind kind = environments.kind(process);
            if (kind == Environments.Kind.MARKED) {
                descendants.take(process.id());
                marked.add(process.pid());
            }
            if (kind == Environments.Kind.MARKED && hasAny(ProcFiles.environment(process.pid()), variables)) {
                found.put(process.pid(), process);
            } else if (kind != Environments.Kind.THEIRS) {
                rest.add(process);
            }
        }
        addDescendants(found, rest);
        marked.removeAll(found.keySet());
        return found.values().stream()
                .map(process -> new Carrier(process, marked.contains(process.parent())))
                .toList();
    }

    /** Whoever was one of them stays one when its parent has ended. */
    private void addDescendants(Map<Long, LiveProcess> found, List<LiveProcess> rest) {
        boolean isAnyAdded;
        do {
            isAnyAdded = rest.removeIf(process -> {
                boolean isOne = found.containsKey(process.parent()) || ofCarriers.contains(process.id());
                if (isOne) {
                    found.put(process.pid(), process);
                }
                return isOne;
            });
        } while (isAnyAdded);
        found.values().forEach(process -> ofCarriers.add(process.id()));
    }

    /**
     * A process of the run that has a variable, or descends from one that has.
     *
     * @param isLed whether its parent belongs to the run too and has none of the variables
     */
    public record Carrier(LiveProcess process, boolean isLed) {}

    /** Whether there is no such process any more, or only a zombie of which nobody has taken notice yet. */
    public static boolean hasEnded(long pid) {
        return ProcFiles.hasEnded(pid);
    }

    /** Whether a process has a handler of its own for a signal; true where nobody can tell. */
    public static boolean catches(int signal, long pid) {
        return has(ProcFiles.caught(pid), signal);
    }

    /** Whether a signal that ends processes would end this one at once; false where nobody can tell. */
    public static boolean endsBy(int signal, long pid) {
        return has(ProcFiles.unminded(pid), signal);
    }

    private static boolean has(long signals, int signal) {
        return (signals >> (signal - 1) & 1) == 1;
    }

    /**
     * Whether a process is there and not another one that was given its number.
     *
     * @param start when it started, in clock ticks since the machine did
     */
    public static boolean isThere(long pid, long start) {
        return ProcFiles.process(pid)
                .filter(process -> process.id().start() == start)
                .isPresent();
    }

    /** Which process has a number, though it may be a zombie; empty when there is none. */
    public static Optional<ProcessId> identify(long pid) {
        return ProcFiles.identify(pid);
    }

    private static boolean hasAny(byte[] environment, Collection<String> variables) {
        // Names are compared byte by byte; a zero byte ends each variable.
        String text = '\0' + new String(environment, StandardCharsets.ISO_8859_1);
        return variables.stream()
                .anyMatch(name -> text.contains(
                        '\0' + new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1) + '='));
    }
}
