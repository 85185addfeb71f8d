package dev.muster.runtime.cli;

/** What the user asks for. */
public sealed interface Request {

    /** Something to read: help, versions, the engines. */
    record Information(String text) implements Request {}

    /** Something to do. */
    record Job(Invocation invocation) implements Request {}
}
