package dev.muster.spi;

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

    static Value of(String text) {
        return new Literal(text);
    }

    static Value of(long number) {
        return new Literal(Long.toString(number));
    }
}
