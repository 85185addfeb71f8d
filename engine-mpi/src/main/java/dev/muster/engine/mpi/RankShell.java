package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.PlanRequest;
import java.util.List;

/** The shell between the launcher and the ranks, which must hand every variable on. */
final class RankShell {

    /** On every machine; often one that drops variables whose names no shell could write. */
    static final List<String> USUAL = List.of("/bin/sh");

    private static final String KEEPS_ALL = "bash";

    static final Input INPUT = new Input.Program(KEEPS_ALL, KEEPS_ALL, List.of("/bin", "/usr/bin"));

    private RankShell() {}

    /** The usual one unless it would drop a variable of the job. */
    static List<String> of(PlanRequest request, RankVariables variables) {
        if (variables.unwritable().isEmpty()) {
            return USUAL;
        }
        // -p: it does not take functions out of the environment.
        return request.input(KEEPS_ALL, InputValue.Program.class)
                .map(bash -> List.of(bash.path(), "-p"))
                .orElse(USUAL);
    }
}
