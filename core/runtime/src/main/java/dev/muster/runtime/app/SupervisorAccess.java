package dev.muster.runtime.app;

import dev.muster.runtime.cli.RequestReader;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.AttachedSupervisor;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.process.ProcessSupervisor;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How this JVM came to its supervisor: that one has started it, or it starts that one, or there is none, where nothing but a text is
 * wanted.
 *
 * @param caller what the launcher was given
 * @param connection empty: there is none
 * @param attached where this JVM has started it
 */
record SupervisorAccess(
        CallerContext caller, Optional<ProcessSupervisor> connection, Optional<AttachedSupervisor> attached) {

    /**
     * Finds it, or starts it.
     *
     * @param arguments what this JVM sees of the command line
     * @throws MusterException there can be none
     */
    static SupervisorAccess open(String[] arguments) {
        if (ProcessInfo.isStartedBySupervisor()) {
            return inherited();
        }
        CallerContext own = ProcessInfo.ofJvm(arguments);
        if (RequestReader.isInformation(own.arguments())) {
            return new SupervisorAccess(own, Optional.empty(), Optional.empty());
        }
        AttachedSupervisor attached = AttachedSupervisor.start(own, ProcessInfo.machine(), System::nanoTime);
        return new SupervisorAccess(
                attached.connection().caller(), Optional.of(attached.connection()), Optional.of(attached));
    }

    private static SupervisorAccess inherited() {
        try {
            ProcessSupervisor connection = ProcessSupervisor.inherited(ProcessInfo.program(), System::nanoTime);
            return new SupervisorAccess(connection.caller(), Optional.of(connection), Optional.empty());
        } catch (IOException unheard) {
            // Mostly it was killed; whoever is left tells the code.
            throw new MusterException(
                    ExitCode.TEMPORARY, "bin/muster is gone, or not understood: " + unheard.getMessage(), unheard);
        }
    }

    /** @throws IllegalStateException where only a text was wanted */
    ProcessSupervisor supervisor() {
        return connection.orElseThrow(() -> new IllegalStateException("no process is started for a text"));
    }

    /** Whose code runs in this JVM now. */
    void runs(String plugin) {
        connection.ifPresent(supervisor -> supervisor.runs(plugin));
    }

    /** The launcher is about to end. */
    void verdict(int code) {
        connection.ifPresent(supervisor -> supervisor.verdict(code));
        attached.ifPresent(AttachedSupervisor::awaitEnd);
    }

    /** The launcher ends without a verdict, so that all that runs is ended; empty: the supervisor tells the code. */
    OptionalInt abandon() {
        if (attached.isPresent()) {
            return OptionalInt.of(attached.get().abandon());
        }
        return connection.isPresent() ? OptionalInt.empty() : OptionalInt.of(ExitCode.INTERNAL.code());
    }
}
