package dev.muster.runtime.cli;

/** What the user asks for. */
public sealed interface Request permits Request.Information, Invocation, DoctorRequest {

    /** Something to read: help, versions, the engines. */
    record Information(String text) implements Request {}
}
