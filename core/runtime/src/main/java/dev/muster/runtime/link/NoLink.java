package dev.muster.runtime.link;

import java.util.Optional;
import java.util.function.Consumer;

/** The end of no link. */
final class NoLink implements Link {

    @Override
    public void say(Said said) {
        // Nobody hears it.
    }

    @Override
    public void listen(Consumer<Heard> listener) {
        // Nothing is ever heard.
    }

    @Override
    public boolean isUsed() {
        return false;
    }

    @Override
    public boolean leads() {
        return false;
    }

    @Override
    public Optional<String> own() {
        return Optional.empty();
    }

    @Override
    public LinkReport report() {
        return LinkReport.NOTHING;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
