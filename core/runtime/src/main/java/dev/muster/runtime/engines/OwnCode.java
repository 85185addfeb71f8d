package dev.muster.runtime.engines;

import dev.muster.spi.PlanException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The code of the launcher's own engines: called as any other code of the launcher. */
record OwnCode(String jar) implements EngineCode {

    @Override
    @SuppressWarnings("IllegalCatch")
    public <T> T ask(Callable<@Nullable T> question) throws PlanException, Misbehaviour {
        try {
            T answer = question.call();
            if (answer == null) {
                throw Misbehaviour.nothingAnswered();
            }
            return answer;
        } catch (PlanException | Misbehaviour known) {
            throw known;
        } catch (Exception | LinkageError | StackOverflowError broken) {
            throw Misbehaviour.of(broken);
        }
    }
}
