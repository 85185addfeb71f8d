package dev.muster.runtime.conditions;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;

/** Waits for a time to pass. */
final class ElapsedProbe implements Probe {

    private final Condition.Elapsed condition;
    private final long due;
    private boolean isMet;

    /** @param start from when the time counts */
    ElapsedProbe(Condition.Elapsed condition, long start) {
        this.condition = condition;
        this.due = start + Nanos.of(condition.time());
    }

    @Override
    public Condition condition() {
        return condition;
    }

    @Override
    public long due() {
        return due;
    }

    @Override
    public void step(long now) {
        isMet = now - due >= 0;
    }

    @Override
    public boolean isMet() {
        return isMet;
    }

    @Override
    public String reason() {
        return Durations.format(condition.time()) + " has not passed since the start";
    }
}
