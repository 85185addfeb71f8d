package dev.muster.runtime.inputs;

import dev.muster.spi.Input;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which files the runs of a job are planned with. One object for all runs of a launcher; not for several threads at a time. It is
 * about files that say themselves when they are ready, as rank tables do: somebody writes them for the launchers that there are.
 */
public final class Renewals {

    private final SortedMap<String, Renewal> files = new TreeMap<>();
    private final Optional<ResetFile> resetFile;
    private Set<Integer> ranks = Set.of();
    private boolean hasFault;
    private Supplier<Optional<Set<String>>> replaced = () -> Optional.of(Set.of());

    /** @param resetFile where the platform lists the ranks whose cards have faults */
    public Renewals(Optional<ResetFile> resetFile) {
        this.resetFile = resetFile;
    }

    /**
     * The run is over: another one will be planned.
     *
     * @param names of the launchers that took the places of others since this run; empty: one has not come for the next run yet.
     *     Asked whenever it matters, since launchers may come while files are awaited
     */
    public void next(Supplier<Optional<Set<String>>> names) {
        replaced = names;
        files.values().forEach(Renewal::next);
    }

    /**
     * Whether the files that this run is planned with say what they said then. Where they do not, or are being written, the plan is
     * made of something that is past.
     */
    public boolean areCurrent() {
        return files.values().stream().allMatch(Renewal::isCurrent);
    }

    /** The same on all launchers that plan with the same files; empty: with none of this kind. */
    public Optional<String> digest() {
        String digests = files.entrySet().stream()
                .flatMap(file -> file.getValue().print().stream().map(print -> file.getKey() + " " + print.digest()))
                .collect(Collectors.joining(" "));
        return Optional.of(digests).filter(text -> !text.isEmpty());
    }

    /** A fault of this node's ranks has ended the run: the next one waits until the platform says that it is over. */
    public void fault() {
        hasFault = true;
    }

    /**
     * A plan has been made.
     *
     * @param own the ranks that this node starts
     * @return whether their cards are free of faults, as far as anybody lists these
     */
    boolean mayStart(Set<Integer> own) {
        ranks = Set.copyOf(own);
        boolean mayStart = recovery().map(Source::look).orElse(ReadAttempt.Ready.WITHOUT) instanceof ReadAttempt.Ready;
        hasFault &= !mayStart;
        return mayStart;
    }

    /** What is awaited before this node's ranks are started; empty: nothing. */
    Optional<Source> recovery() {
        return resetFile.map(file -> new ResetSource(file, ranks, hasFault));
    }

    Renewal of(Input.JsonFile input, LongSupplier nanoClock) {
        return files.computeIfAbsent(input.id(), id -> new Renewal(() -> replaced.get(), nanoClock));
    }

    /** The engine can make no plan for this node of what was read. */
    void giveBack(ReadAttempt.NotYet why) {
        files.values().forEach(file -> file.giveBack(why));
    }
}
