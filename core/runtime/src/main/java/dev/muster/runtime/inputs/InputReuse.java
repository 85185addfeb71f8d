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
 * The files that the attempts of a job are planned with: those that say themselves when they are ready, as rank tables do. Somebody writes
 * them for the launchers of the job. One object serves all attempts of a launcher. It is not thread-safe.
 */
public final class InputReuse {

    private final SortedMap<String, FileReuse> files = new TreeMap<>();
    private final Optional<ResetFile> resetFile;
    private Set<Integer> ranks = Set.of();
    private boolean hasFault;
    private Supplier<Optional<Set<String>>> replaced = () -> Optional.of(Set.of());

    /** @param resetFile where the platform lists the ranks whose cards have faults */
    public InputReuse(Optional<ResetFile> resetFile) {
        this.resetFile = resetFile;
    }

    /**
     * The attempt is over, and another one will be planned.
     *
     * @param names of the launchers that replaced others since this attempt; empty: one has not come yet. Called whenever it matters, since
     *     launchers may come while files are awaited
     */
    public void startNext(Supplier<Optional<Set<String>>> names) {
        replaced = names;
        files.values().forEach(FileReuse::startNext);
    }

    /**
     * Whether the files of this attempt's plan have the content that they had then. If not, or if one is being written, the plan is
     * outdated.
     */
    public boolean areCurrent() {
        return files.values().stream().allMatch(FileReuse::isCurrent);
    }

    /** A digest that is equal on all launchers with the same files; empty: there are no such files. */
    public Optional<String> digest() {
        String digests = files.entrySet().stream()
                .flatMap(file -> file.getValue().print().stream().map(print -> file.getKey() + " " + print.digest()))
                .collect(Collectors.joining(" "));
        return Optional.of(digests).filter(text -> !text.isEmpty());
    }

    /** A card fault of this node's ranks ended the attempt. The next attempt waits until the platform says that the fault is over. */
    public void markFault() {
        hasFault = true;
    }

    /**
     * Takes note of a new plan.
     *
     * @param own the ranks that this node starts
     * @return whether no faults are listed for their cards
     */
    boolean mayStart(Set<Integer> own) {
        ranks = Set.copyOf(own);
        boolean mayStart = recovery().map(Source::read).orElse(ReadAttempt.Ready.WITHOUT) instanceof ReadAttempt.Ready;
        hasFault &= !mayStart;
        return mayStart;
    }

    /** The input to wait for before this node's ranks start; empty: none. */
    Optional<Source> recovery() {
        return resetFile.map(file -> new ResetSource(file, ranks, hasFault));
    }

    FileReuse of(Input.JsonFile input, LongSupplier nanoClock) {
        return files.computeIfAbsent(input.id(), id -> new FileReuse(() -> replaced.get(), nanoClock));
    }

    /** Rejects the files that were read: the engine cannot plan this node with them. */
    void reject(ReadAttempt.NotYet why) {
        files.values().forEach(file -> file.reject(why));
    }
}
