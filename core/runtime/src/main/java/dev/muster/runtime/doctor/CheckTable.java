package dev.muster.runtime.doctor;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** All checks, in the order of the report. */
final class CheckTable {

    /** Looks at one subject of a node. It changes nothing. */
    @FunctionalInterface
    interface Check {
        Stream<Finding> of(NodeFacts node);
    }

    /** Nobody can have installed Muster before. */
    private static final Instant FIRST_RELEASE = Instant.parse("2025-01-01T00:00:00Z");

    static final List<Check> ALL = List.of(
            LaunchCheck::findings,
            ProgramsCheck::findings,
            ScriptCheck::findings,
            CardsCheck::findings,
            LimitsCheck::findings,
            PlacesCheck::findings,
            node -> Stream.of(Finding.of(node.now().isBefore(FIRST_RELEASE) ? "clock.past" : "clock", node.now())),
            NetworkCheck::findings,
            VariablesCheck::findings);

    private CheckTable() {}
}
