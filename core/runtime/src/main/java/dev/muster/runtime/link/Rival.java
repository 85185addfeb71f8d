package dev.muster.runtime.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks for another launcher that takes itself for the job's leader, where members would look for it. Two such would never meet,
 * since leaders connect to nobody. Only while somebody is missing: to whom all members come, that is the leader.
 */
final class Rival implements Attempt.Caller {

    /** Most jobs are complete before. */
    private static final long FIRST_LOOK = TimeUnit.SECONDS.toNanos(1);

    /** For the other leader's answer. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(30);
    private static final long FAR = TimeUnit.SECONDS.toNanos(60);

    private final LinkContext context;
    private final int ownPort;
    private final Endpoints endpoints;
    private final Queue<InetSocketAddress> untried = new ArrayDeque<>();
    private @Nullable Attempt attempt;
    private @Nullable Wire wire;
    private long wiredAt;
    private boolean isAsking;
    private boolean isOver;
    private long pause = FIRST_LOOK;
    private long due;

    /** @param ownPort where this launcher listens */
    Rival(LinkContext context, int ownPort, long now) {
        this.context = context;
        this.ownPort = ownPort;
        this.endpoints = new Endpoints(context.launchers().leading().host(), context.settings.ports(), context.errands);
        // Launchers that come then may know no leader of the job yet, and take up with the first one that they find.
        this.due = isLaterRun() ? now : now + FIRST_LOOK;
    }

    private boolean isLaterRun() {
        return context.settings.run().number() > 1;
    }

    /** @param isSomebodyMissing whether there is anybody who may have gone to another leader */
    void tick(boolean isSomebodyMissing, long now) {
        if (attempt != null) {
            attempt.tick(now);
        }
        if (attempt != null && now - attempt.deadline() >= 0) {
            attempt.expire(now);
        }
        if (wire != null && now - wiredAt >= PATIENCE) {
            hangUp(now);
        }
        if (isOver || attempt != null || wire != null || now - due < 0) {
            return;
        }
        if (!isSomebodyMissing || context.party.isEnding()) {
            close();
        } else if (!isAsking) {
            isAsking = true;
            endpoints.ask(now);
        }
        if (isAsking && endpoints.isAnswered(now)) {
            isAsking = false;
            begin(now);
        }
    }

    /** When {@link #tick} has something to do even if nothing happens. */
    long due(long now) {
        if (isOver) {
            return now + FAR;
        }
        if (attempt != null) {
            return attempt.deadline();
        }
        if (wire != null) {
            return wiredAt + PATIENCE;
        }
        return isAsking ? endpoints.due() : due;
    }

    /** There is none, or it does not matter any more. */
    void close() {
        isOver = true;
        isAsking = false;
        untried.clear();
        if (attempt != null) {
            attempt.close();
        }
        if (wire != null) {
            wire.close();
        }
    }

    @Override
    public void failed(Attempt failed, Attempt.Failure failure, String why, long now) {
        attempt = null;
        goOn(now);
    }

    @Override
    public void otherKey(Attempt failed, String words, long now) {
        attempt = null;
        close();
    }

    @Override
    public JobKey learned(String secret) {
        return JobKey.of(secret.getBytes(StandardCharsets.UTF_8), context.settings.jobId());
    }

    /** The other one says so. */
    @Override
    public void otherVersion(Attempt failed, Hello leader, long now) {
        attempt = null;
        close();
    }

    @Override
    public void reached(Attempt reached, Wire made, Handshake.Step.Done done, long now) {
        attempt = null;
        wire = made;
        wiredAt = now;
        boolean isThisOne =
                RunName.read(done.peer().run()).launcher().equals(context.run().launcher());
        if (isThisOne || context.party.isEnding()) {
            close();
            return;
        }
        made.change(new Answer(done.session()), Peer.LONGEST_LINE);
        made.send(Guest.bytes(done.line()), now);
    }

    private void begin(long now) {
        List<InetSocketAddress> places = endpoints.list();
        boolean isElsewhere = places.stream().anyMatch(place -> !isLocal(place.getAddress()));
        places.stream()
                .filter(place -> !isLocal(place.getAddress()) || isAsked(place.getPort()))
                .forEach(untried::add);
        if (untried.isEmpty() && !places.isEmpty() && !isElsewhere) {
            close();
        } else {
            goOn(now);
        }
    }

    /**
     * On this machine only whoever came first can have a port that members try sooner. In later runs this one may have stood still
     * while another one, which could have no other port, has led the job.
     */
    private boolean isAsked(int port) {
        if (isLaterRun()) {
            return port != ownPort;
        }
        return context.settings.ports().indexOf(port) < context.settings.ports().indexOf(ownPort);
    }

    private void goOn(long now) {
        if (isOver) {
            return;
        }
        InetSocketAddress next = untried.poll();
        if (next == null) {
            due = now + pause;
            pause = Math.min(LONGEST_PAUSE, 2 * pause);
            return;
        }
        JobKey key = context.keys.munge() == null ? context.keys.key() : null;
        Attempt started =
                new Attempt(context, next, key, this, untried.isEmpty() ? Long.MAX_VALUE : Attempt.TO_ANSWER_SOON);
        attempt = started;
        started.start(now);
    }

    private void hangUp(long now) {
        if (wire != null) {
            wire.close();
            wire = null;
        }
        goOn(now);
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }

    /** What the other leader says to that: how both jobs end, or that its own is ending already. */
    private final class Answer implements Wire.Listener {

        private final Session session;

        Answer(Session session) {
            this.session = session;
        }

        @Override
        public boolean line(byte[] line, long now) {
            Optional<JobEnd> end = session.open(line).flatMap(Turning::read).flatMap(Turning::end);
            end.ifPresent(job -> context.party.ended(job, now));
            if (end.isPresent()) {
                close();
            } else {
                hangUp(now);
            }
            return false;
        }

        @Override
        public void ended(String why, long now) {
            hangUp(now);
        }
    }
}
