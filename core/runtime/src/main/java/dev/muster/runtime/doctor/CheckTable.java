package dev.muster.runtime.doctor;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** All checks, in the order of the report. Each looks at one subject of a node, and changes nothing. */
final class CheckTable {

    /** Nobody can have installed Muster before. */
    private static final Instant FIRST_RELEASE = Instant.parse("2025-01-01T00:00:00Z");

    static final List<Function<NodeFacts, Stream<Finding>>> ALL = List.of(
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
