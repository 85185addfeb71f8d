package dev.muster.runtime.supervise;

import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A world with nothing in it: that of a run that was told to stop before its plan was prepared. */
class NothingStarted implements Effects {

    private final Waits waits;
    private final UnaryOperator<String> mask;

    NothingStarted(Waits waits, UnaryOperator<String> mask) {
        this.waits = waits;
        this.mask = mask;
    }

    @Override
    public StartedProcess start(ProcessSpec process) {
        throw new IllegalStateException(process.id() + " was to be started after the stop");
    }

    @Override
    public long stop(Set<Long> only, Set<Long> keep, Duration grace) {
        throw new IllegalStateException("there is nothing to stop");
    }

    @Override
    public String masked(String text) {
        return mask.apply(text);
    }

    @Override
    public void say(String line) {
        waits.say(line);
    }

    @Override
    public Waits waits() {
        return waits;
    }
}
