package dev.muster.runtime.process;

import java.util.List;
import java.util.Optional;

/** What the supervisor tells, with the fields that each may have: see {@code records.h}. */
enum EventKind {
    HELLO("hello", "version arg env dir pid ignored terminal first"),
    STARTED("started", "id pid born"),
    FAILED("failed", "id error text"),
    ENDED("ended", "id status memory user system time"),
    LEFT_BEHIND("leftBehind", "pid id text"),
    SIGNAL("signal", "number sender"),
    KILLING("killing", "sequence id count"),
    REMAINS("remains", "sequence pid text"),
    STOPPED("stopped", "sequence"),
    HOSTED_ENDED("hostedEnded", "id"),
    REQUEST("request", "connection pid user text"),
    LOCKED("locked", ""),
    BUSY("busy", "pid grace");

    private final String word;
    private final String keys;

    EventKind(String word, String keys) {
        this.word = word;
        this.keys = keys;
    }

    boolean has(String key) {
        return List.of(keys.split(" ")).contains(key);
    }

    /** Empty: there is no such word. */
    static Optional<EventKind> of(String word) {
        for (EventKind kind : values()) {
            if (kind.word.equals(word)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
