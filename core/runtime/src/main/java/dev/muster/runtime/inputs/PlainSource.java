package dev.muster.runtime.inputs;

import java.util.function.Supplier;

/**
 * An input that needs no state between looks.
 *
 * @param subject what messages call it
 * @param once looks once
 */
record PlainSource(String id, String subject, Supplier<ReadAttempt> once) implements Source {

    @Override
    public ReadAttempt look() {
        return once.get();
    }
}
