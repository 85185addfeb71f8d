package dev.muster.runtime.cli;

/** What the user asks for. */
public sealed interface Request {

    /**
     * Something to read: help, versions, the engines.
     *
     * @param exitCode what the command ends with when all of it could be written
     */
    record Information(String text, int exitCode) implements Request {

        Information(String text) {
            this(text, 0);
        }
    }

    /** Something to do. */
    record Job(Invocation invocation) implements Request {}
}
