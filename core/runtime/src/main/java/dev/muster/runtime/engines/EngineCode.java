package dev.muster.runtime.engines;

import dev.muster.spi.PlanException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The code of an engine, and the way in which it is called. */
interface EngineCode {

    /** The file name of the jar, or of the directory, that it comes from. */
    String jar();

    /**
     * Has the code answer.
     *
     * @param question calls the code
     * @return never null
     * @throws PlanException the engine's refusal
     * @throws Misbehaviour whatever else the code does but answer
     */
    <T> T ask(Callable<@Nullable T> question) throws PlanException, Misbehaviour;

    /**
     * What the code answers, as far as that may be used; called while it answers.
     *
     * @throws IllegalArgumentException when it may not
     */
    default <T> T checked(T answer) {
        return answer;
    }
}
