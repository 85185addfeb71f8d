package dev.muster.runtime.errors;

/** The launcher was told to stop while it waited. Nothing has been started. */
public final class StoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoppedException() {
        super("stopped; nothing was started");
    }
}
