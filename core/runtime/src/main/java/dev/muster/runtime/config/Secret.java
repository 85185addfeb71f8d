package dev.muster.runtime.config;

/** A text that nothing may show by accident: no plan, no message, no stack trace. */
public final class Secret {

    private final String text;

    public Secret(String text) {
        this.text = text;
    }

    /** The text itself, for whoever needs it. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "******";
    }
}
