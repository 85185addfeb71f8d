package dev.muster.runtime.platform;

import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** How often a platform has started a job, as its variables tell. It is for reports alone: a wrong one keeps no job from its start. */
final class StartCounts {

    private static final int MOST = 1_000_000_000;

    private StartCounts() {}

    /**
     * Those that are told.
     *
     * @param warn told of a variable that is no count
     */
    static List<OptionValue> read(Evidence evidence, List<String> variables, Consumer<String> warn) {
        List<OptionValue> counts = new ArrayList<>();
        for (String name : variables) {
            try {
                evidence.number(name, 0, MOST).ifPresent(counts::add);
            } catch (MusterException wrong) {
                warn.accept(wrong.getMessage() + ", and is not reported as a count of starts");
            }
        }
        return List.copyOf(counts);
    }

    /** As it stands in reports; empty where nothing is told. */
    static Optional<String> text(List<OptionValue> counts) {
        return counts.isEmpty()
                ? Optional.empty()
                : Optional.of(counts.stream()
                        .map(count -> count.origin() + "=" + count.value())
                        .collect(Collectors.joining(", ")));
    }
}
