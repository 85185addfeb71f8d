package dev.muster.runtime.config;

/**
 * A text that nothing may show by accident: no plan, no message, no stack trace.
 *
 * @param reveal the text itself
 */
public record Secret(String reveal) {

    @Override
    public String toString() {
        return "******";
    }
}
