package dev.muster.runtime.link;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A connection at the leader whose other end has not proved anything yet. */
final class Guest implements Wire.Listener {

    private final Reception reception;
    private final LeaderHandshake handshake;
    private final long deadline;
    private final String address;
    private boolean hasAsked;

    Guest(Reception reception, LeaderHandshake handshake, String address, long deadline) {
        this.reception = reception;
        this.handshake = handshake;
        this.address = address;
        this.deadline = deadline;
    }

    String address() {
        return address;
    }

    long deadline() {
        return deadline;
    }

    /** Whether it gives way to others: it has not shown that it has heard of the key. */
    boolean givesWay() {
        return !handshake.isHalfDone();
    }

    /** Whether it asks for the key for the first time: nobody is answered twice. */
    boolean asksFirst() {
        boolean isFirst = !hasAsked;
        hasAsked = true;
        return isFirst;
    }

    @Override
    public boolean line(byte[] line, long now) {
        if (givesWay()) {
            Optional<KeyQuestion> question = KeyQuestion.read(line);
            if (question.isPresent()) {
                return reception.asked(this, question.get(), now);
            }
        }
        return reception.heard(this, handshake.step(line), now);
    }

    @Override
    public void ended(String why, long now) {
        reception.gone(this, now);
    }

    static byte[] bytes(String line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
