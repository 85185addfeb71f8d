package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.SECOND;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** A simulated node. Its launcher starts the ranks again after a failure or a loss, as with {@code --restarts}. */
final class RestartingNode {

    private static final long WITHOUT_VERDICT = 2 * SECOND;

    private final MemoryNetwork network;
    /** The nodes in the order of the rank table; it may change at any time. */
    private final List<Integer> table;

    private final int own;
    private final int limit;
    private boolean isCutOff;
    private Launcher current;
    private int begun;
    private long begunAt;
    private long disturbedUntil;
    private long frozenUntil;

    RestartingNode(MemoryNetwork network, int own, List<Integer> table, int limit) {
        this.network = network;
        this.own = own;
        this.table = table;
        this.limit = limit;
        this.current = new Launcher();
    }

    /** The number of the last attempt that has begun here. */
    int begun() {
        return begun;
    }

    boolean hasSucceeded() {
        return current.exitCode.equals(Optional.of(0));
    }

    /** Whether this node is the first in the rank table of its attempt. */
    boolean leads() {
        return current.order.indexOf(own) == 0;
    }

    /** Whether this node was gone or disturbed in the last attempt of {@code leader}, so that it cannot know how it ended. */
    boolean missesTheEndOf(RestartingNode leader) {
        return disturbedUntil >= leader.begunAt && current.exitCode.equals(Optional.of(75));
    }

    /** The launcher dies. The platform starts another one later. */
    void isReplaced(long after) {
        if (current.isAlive()) {
            disturbedUntil = network.now() + after;
            frozenUntil = 0;
            current.kill();
            network.after(after, () -> current = new Launcher());
        }
    }

    void isCutOff(long during) {
        disturbedUntil = network.now() + during;
        isCutOff = true;
        current.station.cutOff();
        network.after(during, () -> {
            isCutOff = false;
            current.station.reconnectNetwork();
        });
    }

    /** The launcher and its ranks are suspended. */
    void isFrozen(long during) {
        if (current.isAlive()) {
            frozenUntil = network.now() + during;
            disturbedUntil = frozenUntil;
            current.station.freeze(during);
        }
    }

    void rankFails() {
        current.fails();
    }

    @Override
    public String toString() {
        return "node " + own + " of " + table + " begun " + begun + " " + current;
    }

    /** One start of the launcher of this node. */
    private final class Launcher {

        private LinkRun run = LinkRun.first(limit);
        private MemoryLink station;
        private Optional<LinkEvent.Begin> begin = Optional.empty();
        private Optional<JobEnd> end = Optional.empty();
        private Optional<Integer> exitCode = Optional.empty();
        private boolean isInRun;
        private boolean isStopped;
        private boolean isDead;
        private int serial;
        private int known;
        private boolean hasArrived;
        private List<Integer> order = List.copyOf(table);

        Launcher() {
            station = open();
        }

        boolean isAlive() {
            return !isDead && exitCode.isEmpty();
        }

        void kill() {
            isDead = true;
            station.kill();
        }

        private MemoryLink open() {
            LauncherNodes launchers = LauncherNodes.ofHosts(
                    order.indexOf(own),
                    order.stream()
                            .map(node -> Host.of("gpu" + node, Optional.empty()))
                            .toList());
            LinkSettings settings = FaultlessJob.settings(
                            launchers, true, Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofMinutes(5))
                    .with(run);
            MemoryLink opened = network.open(settings, run.text(), "gpu" + own, own * 1000L * SECOND);
            if (isCutOff) {
                opened.cutOff();
            }
            serial++;
            int now = serial;
            known = run.number();
            hasArrived = false;
            begin = Optional.empty();
            end = Optional.empty();
            isStopped = false;
            isInRun = false;
            opened.listen(heard -> later(now, 0, () -> hear(heard)));
            later(now, (long) (network.random().nextDouble() * 2 * SECOND), this::arrive);
            return opened;
        }

        private void later(int session, long nanos, Runnable action) {
            network.after(1 + nanos, () -> whenAwake(session, action));
        }

        private void whenAwake(int session, Runnable action) {
            if (network.now() < frozenUntil) {
                network.at(frozenUntil, () -> whenAwake(session, action));
            } else if (isAlive() && session == serial) {
                action.run();
            }
        }

        private void arrive() {
            hasArrived = true;
            station.send(new LocalEvent.Planned(new TreeMap<>(), "train", false, new TreeSet<>()));
            station.send(new LocalEvent.Here("run " + known + " " + order));
            lookAtTheTable();
        }

        /** Before the attempt begins: if the rank table has changed, plan again and connect again by the new table. */
        private void lookAtTheTable() {
            if (!isInRun && !order.equals(table)) {
                order = List.copyOf(table);
                station.send(new LocalEvent.Left(0));
                station.close();
                run = run.next(known);
                station = open();
            } else if (!isInRun) {
                later(serial, SECOND / 2, this::lookAtTheTable);
            }
        }

        private void hear(LinkEvent heard) {
            if (heard instanceof LinkEvent.Complete all) {
                known = all.number();
                if (hasArrived) {
                    arrive();
                }
            } else if (heard instanceof LinkEvent.Begin now) {
                begin = Optional.of(now);
                begun = now.number();
                begunAt = network.now();
                isInRun = true;
                later(serial, 20 * SECOND, this::succeeds);
            } else if (heard instanceof LinkEvent.Stop stop) {
                end = end.or(() -> Optional.of(stop.end()));
                station.send(new LocalEvent.Heeded());
                stop();
            } else if (heard instanceof LinkEvent.Decided decided) {
                end = Optional.of(decided.end());
                if (decided.end().kind() == JobEnd.Kind.SUCCESS) {
                    leave(0);
                }
            }
        }

        private void succeeds() {
            if (!isStopped) {
                station.send(new LocalEvent.Succeeded(Optional.empty()));
            }
        }

        void fails() {
            if (isAlive() && isInRun && !isStopped && network.now() >= frozenUntil) {
                JobEnd failure = FaultlessJob.fails(station);
                end = Optional.of(failure);
                stop();
            }
        }

        private void stop() {
            if (!isStopped) {
                isStopped = true;
                later(serial, WITHOUT_VERDICT + (long) (network.random().nextDouble() * SECOND), this::isOver);
            }
        }

        private void isOver() {
            JobEnd known = end.orElseThrow();
            boolean isMeant = known.kind() == JobEnd.Kind.FAILED || known.kind() == JobEnd.Kind.LOST;
            boolean mayAgain = begin.map(LinkEvent.Begin::number).orElse(1) <= limit;
            if (begin.isPresent() && isMeant && mayAgain) {
                again();
            } else {
                leave(known.exitCode());
            }
        }

        private void again() {
            station.send(new LocalEvent.Left(3));
            station.close();
            LinkEvent.Begin known = begin.orElseThrow();
            run = run.begun(known).next(known.number() + 1);
            station = open();
        }

        private void leave(int code) {
            exitCode = Optional.of(code);
            isInRun = false;
            station.send(new LocalEvent.Left(code));
            station.close();
        }

        @Override
        public String toString() {
            return run + (isDead ? " dead" : "") + " " + exitCode + " " + begin + " " + end + " " + station.lines();
        }
    }
}
