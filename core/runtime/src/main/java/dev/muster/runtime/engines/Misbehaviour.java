package dev.muster.runtime.engines;

import dev.muster.runtime.text.Shortened;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/**
 * An engine's code did something else than to answer. Holds texts and nothing of the code itself: what was thrown may be of a
 * class of the plugin, whose methods nobody should call any more.
 */
final class Misbehaviour extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 1000;

    private final BrokenEngine.Kind kind;

    private Misbehaviour(BrokenEngine.Kind kind, String how, StackTraceElement... where) {
        super(how);
        this.kind = kind;
        setStackTrace(where);
    }

    /** Nothing came back. */
    static Misbehaviour nothingAnswered() {
        return new Misbehaviour(BrokenEngine.Kind.MISBEHAVED, "it answers null", new Throwable().getStackTrace());
    }

    /** @param where it was when nobody waited any more */
    static Misbehaviour noAnswer(String limit, StackTraceElement... where) {
        return new Misbehaviour(BrokenEngine.Kind.MISBEHAVED, "it gives no answer within " + limit, where);
    }

    /** It needs another SPI than ours. */
    static Misbehaviour ofOtherSpi(String line, Throwable error) {
        return new Misbehaviour(BrokenEngine.Kind.UNUSABLE, line, error.getStackTrace());
    }

    /** It is not what it says. */
    static Misbehaviour another(String how) {
        return new Misbehaviour(BrokenEngine.Kind.MISBEHAVED, how, new Throwable().getStackTrace());
    }

    /** It cannot be run at all. */
    static Misbehaviour unusable(String why) {
        return new Misbehaviour(BrokenEngine.Kind.UNUSABLE, why, new Throwable().getStackTrace());
    }

    /** To be called by who runs the code, since it asks what was thrown for its text. */
    static Misbehaviour of(Throwable thrown) {
        Throwable error = thrown instanceof InvocationTargetException || thrown instanceof ExceptionInInitializerError
                ? cause(thrown)
                : thrown;
        boolean isIncomplete = error instanceof ReflectiveOperationException
                || (error instanceof LinkageError && !(thrown instanceof ExceptionInInitializerError));
        BrokenEngine.Kind kind = isIncomplete ? BrokenEngine.Kind.UNUSABLE : BrokenEngine.Kind.MISBEHAVED;
        return new Misbehaviour(kind, Shortened.to(LONGEST, text(error)), error.getStackTrace());
    }

    private static Throwable cause(Throwable thrown) {
        return Optional.ofNullable(thrown.getCause()).orElse(thrown);
    }

    private static String text(Throwable error) {
        String name = error.getClass().getSimpleName();
        String said = error.getMessage();
        return said == null || said.isBlank() ? name : name + ": " + said;
    }

    BrokenEngine.Kind kind() {
        return kind;
    }

    /** What it did, as a sentence without its end. */
    String how() {
        return String.valueOf(getMessage());
    }
}
