package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.List;

/** The user's entry among the accounts, without which neither ssh nor sshd works. */
final class Account {

    private static final String NAME = "id -un";
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** What {@code id} ends with when the uid has no name. */
    private static final int NO_NAME = 1;

    static final Input INPUT = new Input.CommandOutput(NAME, List.of("id", "-un"), DEADLINE);

    private Account() {}

    static void require(PlanRequest request) throws PlanException {
        boolean isNameless = request.input(NAME, InputValue.CommandOutput.class)
                .filter(said -> said.exitCode() == NO_NAME)
                .isPresent();
        if (isNameless) {
            int uid = request.node().machine().uid();
            throw PlanException.unavailable(
                    "uid " + uid + " has no entry in /etc/passwd, and ssh refuses to work without. Add a"
                            + " line such as \"ma-user:x:" + uid
                            + ":100::/home/ma-user:/bin/sh\" to the image's /etc/passwd, or run"
                            + " the job as a user that has one");
        }
    }
}
