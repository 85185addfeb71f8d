package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The launcher that leads: all others connect to it, and it decides how the job ends. */
final class Leader implements Party {

    private final LinkSettings settings;
    private final UnaryOperator<String> digest;
    private final long openedAt;

    /**
     * @param digest a short text made of the job's key and a text, so that texts can be compared without being told; called once
     *     the first peer is connected, when the key is known
     */
    Leader(LinkSettings settings, UnaryOperator<String> digest, long now) {
        this.settings = settings;
        this.digest = digest;
        openedAt = now;
    }

    @Override
    public void say(Said said, long now) {}

    @Override
    public Admission admit(String peer, String run, Optional<String> host, long now) {
        return new Admission.Welcome();
    }

    @Override
    public void connected(String peer, String run, long now) {}

    @Override
    public void disconnected(String peer, String why, boolean absent, long now) {}

    @Override
    public void ended(JobEnd end, long now) {}

    @Override
    public void received(String peer, Batch batch, long now) {}

    @Override
    public Set<String> toSend(long now) {
        return Set.of();
    }

    @Override
    public Batch next(String peer, long now) {
        return new Batch(1, List.of(), 0, now, 0, 0);
    }

    @Override
    public void look(long now) {}

    @Override
    public OptionalLong nextLook(long now) {
        return OptionalLong.empty();
    }

    @Override
    public List<Heard> heard() {
        return List.of();
    }

    @Override
    public List<Line> lines() {
        return List.of();
    }

    @Override
    public LinkReport report() {
        return LinkReport.NOTHING;
    }
}
