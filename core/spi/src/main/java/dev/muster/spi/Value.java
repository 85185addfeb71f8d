package dev.muster.spi;

import java.util.List;

/**
 * A text in a plan, known now or once the runtime has prepared the run.
 *
 * @since 0.1
 */
public sealed interface Value {

    /** A text known now. */
    record Literal(String text) implements Value {}

    /** The absolute path at which a {@link FileToWrite} of the plan was written. */
    record PathOf(String fileId) implements Value {}

    /**
     * A TCP port of this machine, 5000 to 10000, that is free when the run starts and that no other job of Muster's on this
     * machine gets while the run lasts.
     *
     * @param name equal names in a plan are the same port
     */
    record FreePort(String name) implements Value {}

    /** Several values, one directly after another. */
    record Joined(List<Value> parts) implements Value {
        public Joined {
            parts = List.copyOf(parts);
        }
    }

    static Value of(String text) {
        return new Literal(text);
    }

    static Value of(long number) {
        return new Literal(Long.toString(number));
    }

    /** Several values, one directly after another. */
    static Value joined(Value... parts) {
        return new Joined(List.of(parts));
    }
}
