package dev.muster.runtime.link;

import dev.muster.runtime.json.Json;
import java.util.Map;
import java.util.Optional;

/** A connection whose other end has proved that it knows the key. */
final class Peer implements Connection.Listener {

    /** The longest line in bytes. */
    static final int LONGEST_LINE = 256 * 1024;

    private final String name;
    private final Connection connection;
    private final Session session;
    private final Party party;
    private final Connections side;
    private long heardAt;

    Peer(String name, Connection connection, Session session, Party party, Connections side, long now) {
        this.name = name;
        this.connection = connection;
        this.session = session;
        this.party = party;
        this.side = side;
        this.heardAt = now;
    }

    String name() {
        return name;
    }

    Connection connection() {
        return connection;
    }

    /** When its last line arrived. */
    long heardAt() {
        return heardAt;
    }

    void send(Channel.Batch batch, long now) {
        connection.send(session.seal(Json.toMap(batch)), now);
    }

    @Override
    public boolean onLine(byte[] line, long now) {
        Optional<Map<String, Object>> content = session.open(line);
        Optional<Channel.Batch> batch = content.flatMap(fields -> read(fields, "seen", Channel.Batch.class));
        if (batch.isPresent()) {
            heardAt = now;
            party.onReceived(name, batch.get(), now);
            return true;
        }
        connection.close();
        Optional<Rejection> rejection = content.flatMap(fields -> read(fields, "refused", Rejection.class));
        rejection.ifPresentOrElse(
                refused -> side.onRefused(this, refused, now),
                () -> side.onLost(this, "it sent a line that is not the next of its own", Disconnection.SILENCE, now));
        return false;
    }

    /** @param field that marks the kind of line */
    private static <T> Optional<T> read(Map<String, Object> fields, String field, Class<T> type) {
        try {
            return fields.containsKey(field) ? Optional.of(Json.toRecord(fields, type)) : Optional.empty();
        } catch (IllegalArgumentException unfit) {
            return Optional.empty();
        }
    }

    @Override
    public void onEnded(String why, Disconnection how, long now) {
        side.onLost(this, why, how, now);
    }
}
