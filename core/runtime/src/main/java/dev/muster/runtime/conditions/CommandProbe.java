package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;

/** Waits for a command to end with one code; others may wait for other codes of the same command. */
final class CommandProbe implements Probe {

    private final Condition.CommandEnds condition;
    private final Question question;
    private boolean isMet;

    CommandProbe(Condition.CommandEnds condition, Question question) {
        this.condition = condition;
        this.question = question;
    }

    @Override
    public Condition condition() {
        return condition;
    }

    @Override
    public long due() {
        return question.due();
    }

    @Override
    public boolean isWoken() {
        return question.isWoken();
    }

    @Override
    public void step(long now) {
        question.step(now);
    }

    @Override
    public boolean isMet() {
        if (!isMet && question.exitCode().isPresent() && question.exitCode().getAsInt() == condition.exitCode()) {
            isMet = true;
            question.settle();
        }
        return isMet;
    }

    @Override
    public String reason() {
        return question.reason();
    }

    @Override
    public String brief() {
        return question.brief();
    }

    @Override
    public void close() {
        question.close();
    }
}
