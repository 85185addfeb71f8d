package dev.muster.runtime.inputs;

import java.util.function.Supplier;

/**
 * An input of which one look tells all.
 *
 * @param subject what messages call it
 * @param once looks
 */
record PlainSource(String id, String subject, Supplier<ReadAttempt> once) implements Source {

    @Override
    public ReadAttempt look() {
        return once.get();
    }
}
