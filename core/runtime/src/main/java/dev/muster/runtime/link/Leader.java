package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The launcher that leads: all others connect to it, and it decides how the job ends. */
final class Leader implements Party {

    private final Table table;
    private final Lines lines = new Lines();
    private final Watching watching;
    private final Endings endings;
    private final Comparison comparison;
    private final Doorkeeper doorkeeper;
    private final Rounds rounds;
    private final Gathering gathering;
    private boolean isGone;
    /** When anything happened last. */
    private long lookedAt;

    /**
     * @param digest a short text made of the job's key and a text, so that texts can be compared without being told; called once
     *     the first peer is connected, when the key is known
     */
    Leader(LinkSettings settings, UnaryOperator<String> digest, long now) {
        table = new Table(settings.launchers());
        watching = new Watching(table.byName(), table::tell);
        endings = new Endings(settings, table, watching, now);
        gathering = new Gathering(settings.run(), table, now);
        comparison = new Comparison(table, endings, gathering, lines, digest);
        doorkeeper = new Doorkeeper(settings, table, endings, gathering);
        rounds = new Rounds(settings, table, endings, gathering, lines, now);
        lookedAt = now;
    }

    @Override
    public void say(Said said, long now) {
        isHere(now);
        if (said instanceof Said.Planned planned) {
            table.own().planned(new Told.Plan(planned.equal(), "", false));
            planned.watched().forEach(process -> watching.watch(table.own(), process, now));
            comparison.ours(planned, now);
        } else {
            said(table.own(), said, now);
        }
        beginIfReady(now);
        endings.look(now);
    }

    /** What has come while this launcher stood still is read before anything that tells it so. */
    private void isHere(long now) {
        if (now - lookedAt > Rounds.STANDSTILL) {
            endings.stoodStill(now);
        }
        lookedAt = now;
    }

    /** What must be equal is compared before, since until then plans may be made of files that are renewed. */
    private void beginIfReady(long now) {
        if (!endings.isEnding() && gathering.isReady()) {
            comparison.all(now);
            if (!endings.isEnding()) {
                gathering.begin();
            }
        }
    }

    @Override
    public Admission admit(String peer, String run, Optional<String> host, long now) {
        return isGone
                ? new Admission.Refusal("its leader is about to leave", Optional.empty())
                : doorkeeper.admit(peer, run, host, now);
    }

    @Override
    public void connected(String peer, String run, long now) {
        table.seat(peer).filter(seat -> seat != table.own()).ifPresent(seat -> {
            boolean isNew = !seat.run().equals(Optional.of(run));
            if (isNew) {
                seat.take(run, new Conversation(now));
                gathering.took(seat, RunName.read(run));
            }
            Conversation talk = seat.talk().orElseThrow();
            talk.connected(now);
            table.outbox().connected(peer, talk);
            if (isNew) {
                endings.tellBefore(seat);
            }
            gathering.look(now);
        });
    }

    @Override
    public void disconnected(String peer, String why, boolean absent, long now) {
        table.seat(peer).ifPresent(seat -> {
            seat.isNotHere(why);
            seat.talk().ifPresent(talk -> talk.disconnected(now));
            table.outbox().disconnected(peer);
            rounds.soon(now);
        });
    }

    @Override
    public void ended(JobEnd end, long now) {
        if (end.kind() == JobEnd.Kind.LOST && !gathering.isOver()) {
            // Another one has led the job since: whoever has come here is to find that one.
            endings.withdraw(end, now);
        } else {
            endings.end(end, now);
        }
        endings.look(now);
    }

    @Override
    public boolean isEnding() {
        return isGone || endings.isEnding();
    }

    @Override
    public void received(String peer, Batch batch, long now) {
        isHere(now);
        table.seat(peer)
                .ifPresent(seat -> seat.talk().ifPresent(talk -> {
                    List<Fact> facts = talk.receive(batch, now);
                    facts.forEach(fact -> ToldFacts.read(fact).ifPresent(told -> told(seat, told, now)));
                    table.outbox().touch(peer, talk);
                    if (!facts.isEmpty()) {
                        beginIfReady(now);
                        endings.look(now);
                    }
                }));
    }

    private void told(Seat seat, Told told, long now) {
        if (told instanceof Told.Plainly plainly) {
            said(seat, plainly.said(), now);
        } else if (told instanceof Told.Plan plan) {
            seat.planned(plan);
            comparison.theirs(seat, now);
        } else if (told instanceof Told.Watching watched) {
            watched.processes().forEach(process -> watching.watch(seat, process, now));
        } else if (told instanceof Told.Command command) {
            comparison.command(seat, command.command());
        }
    }

    private void said(Seat seat, Said said, long now) {
        if (said instanceof Said.Awaiting awaiting) {
            seat.awaits(awaiting.what(), now);
        } else if (said instanceof Said.Started started) {
            seat.processes().started(started, seat.here(started.nanoTime(), now));
        } else if (said instanceof Said.Ready ready) {
            long when = seat.here(ready.nanoTime(), now);
            seat.processes().ready(ready, when);
            watching.happened(seat, ready.process(), Heard.State.READY, when);
        } else if (said instanceof Said.Ended ended) {
            long when = seat.here(ended.nanoTime(), now);
            seat.processes().ended(ended, when);
            watching.happened(seat, ended.process(), Heard.State.ENDED, when);
        } else if (said instanceof Said.Over over) {
            endings.over(seat, over, now);
        } else if (said instanceof Said.Heeded) {
            endings.heeded(seat);
        } else if (said instanceof Said.Succeeded succeeded) {
            endings.succeeded(seat, succeeded);
        } else if (said instanceof Said.Here here) {
            seat.here(here.digest());
        } else if (said instanceof Said.Left left) {
            left(seat, left.exitCode(), now);
        }
    }

    private void left(Seat seat, int exitCode, long now) {
        endings.left(seat, exitCode, now);
        if (seat == table.own()) {
            isGone = true;
            table.tellAll(new Order.Goodbye(exitCode));
        }
    }

    @Override
    public Set<String> toSend(long now) {
        return table.outbox().due(now);
    }

    @Override
    public Batch next(String peer, long now) {
        Conversation talk = table.seat(peer).flatMap(Seat::talk).orElseThrow();
        Batch batch = talk.next(now);
        table.outbox().sent(peer, talk);
        return batch;
    }

    @Override
    public boolean isAllSeen() {
        return table.all().stream()
                .flatMap(seat -> seat.talk().stream())
                .allMatch(talk -> !talk.isConnected() || talk.isSeen());
    }

    @Override
    public void look(long now) {
        isHere(now);
        // Costs something with every launcher: not whenever anything comes.
        if (rounds.look(now) || endings.isEnding()) {
            beginIfReady(now);
            endings.look(now);
        }
    }

    @Override
    public OptionalLong nextLook(long now) {
        long next = rounds.next(now);
        OptionalLong sending = table.outbox().next(now);
        boolean isSooner = sending.isPresent() && sending.getAsLong() - next < 0;
        return OptionalLong.of(isSooner ? sending.getAsLong() : next);
    }

    @Override
    public List<Heard> heard() {
        return table.ear().drain();
    }

    @Override
    public List<Line> lines() {
        return lines.drain();
    }

    @Override
    public LinkReport report() {
        return new LinkReport(table.all().stream().map(Seat::report).toList());
    }
}
