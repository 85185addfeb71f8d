package dev.muster.runtime.link;

import java.util.Map;
import java.util.Optional;

/** A connection whose other end has proved to know the key. */
final class Peer implements Wire.Listener {

    /** How long a line may be, in bytes. */
    static final int LONGEST_LINE = 64 * 1024;

    private final String name;
    private final Wire wire;
    private final Session session;
    private final Party party;
    private final Side side;
    private long heardAt;

    Peer(String name, Wire wire, Session session, Party party, Side side, long now) {
        this.name = name;
        this.wire = wire;
        this.session = session;
        this.party = party;
        this.side = side;
        this.heardAt = now;
    }

    String name() {
        return name;
    }

    Wire wire() {
        return wire;
    }

    /** When its last line came. */
    long heardAt() {
        return heardAt;
    }

    void send(Batch batch, long now) {
        wire.send(session.seal(BatchLine.of(batch)), now);
    }

    @Override
    public boolean line(byte[] line, long now) {
        Optional<Map<String, Object>> content = session.open(line);
        if (content.isEmpty()) {
            mislead("it sent a line that is not the next of its own", now);
            return false;
        }
        Optional<Batch> batch = BatchLine.read(content.get());
        if (batch.isPresent()) {
            heardAt = now;
            party.received(name, batch.get(), now);
            return true;
        }
        Optional<Turning> turning = Turning.read(content.get());
        if (turning.isEmpty()) {
            mislead("it sent a line that says nothing known", now);
            return false;
        }
        wire.close();
        side.refused(this, turning.get(), now);
        return false;
    }

    @Override
    public void ended(String why, long now) {
        side.lost(this, why, now);
    }

    private void mislead(String why, long now) {
        wire.close();
        side.misled(this, why, now);
    }
}
