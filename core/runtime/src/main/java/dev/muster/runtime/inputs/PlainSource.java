package dev.muster.runtime.inputs;

import java.util.function.Supplier;

/**
 * An input that needs no state between looks.
 *
 * @param subject what messages call it
 * @param reader looks once
 */
record PlainSource(String id, String subject, Supplier<ReadAttempt> reader) implements Source {

    @Override
    public ReadAttempt read() {
        return reader.get();
    }
}
