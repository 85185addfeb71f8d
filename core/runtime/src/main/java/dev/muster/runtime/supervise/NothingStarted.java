package dev.muster.runtime.supervise;

import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.MemoryKills;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
    public long start(ProcessSpec process) {
        throw new IllegalStateException(process.id() + " was to be started after the stop");
    }

    @Override
    public List<Survivor> signalGroups(String signal, Collection<Long> groups) {
        return List.of();
    }

    @Override
    public void signalProcesses(String signal, Collection<Long> pids) {
        // There are none.
    }

    @Override
    public void setGrace(Duration grace) {
        // For nobody.
    }

    @Override
    public List<Survivor> survivors(Collection<Long> groups) {
        return List.of();
    }

    @Override
    public List<Carrier> carriers(Collection<String> variables) {
        return List.of();
    }

    @Override
    public void keepEnds() {
        // Nobody looks after ranks.
    }

    @Override
    public void releaseEnds() {
        // Nobody looks after ranks.
    }

    @Override
    public void noteStop() {
        // For nobody.
    }

    @Override
    public RankNotes rankNotes() {
        return RankNotes.NOTHING;
    }

    @Override
    public boolean hasEnded(long pid) {
        return false;
    }

    @Override
    public boolean catchesTerm(long pid) {
        return false;
    }

    @Override
    public boolean endsByTerm(long pid) {
        return false;
    }

    @Override
    public Optional<EndOfOutput> endOfOutput(ProcessSpec process) {
        return Optional.empty();
    }

    @Override
    public boolean isConsequence(ProcessSpec process, Termination how) {
        return false;
    }

    @Override
    public boolean isThere(RankNotes.Started rank) {
        return false;
    }

    @Override
    public String privateText(String name) {
        return "";
    }

    @Override
    public MemoryKills memoryKills() {
        return MemoryKills.NONE;
    }

    @Override
    public Optional<Path> log(ProcessSpec process) {
        return Optional.empty();
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
