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
 * The supervisor of this JVM. Either it started this JVM, or this JVM starts it. If the user only wants a text, there is none.
 *
 * @param caller what the caller gave the launcher
 * @param connection empty: there is no supervisor
 * @param attached the supervisor, if this JVM started it
 */
record SupervisorAccess(
        CallerContext caller, Optional<ProcessSupervisor> connection, Optional<AttachedSupervisor> attached) {

    /**
     * Finds the supervisor, or starts it.
     *
     * @param arguments what this JVM sees of the command line
     * @throws MusterException when there can be no supervisor
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
            // Usually a process of the supervisor was killed. The one that is left reports the exit code.
            throw new MusterException(
                    ExitCode.TEMPORARY, "bin/muster is gone, or not understood: " + unheard.getMessage(), unheard);
        }
    }

    /** @throws IllegalStateException where only a text was wanted */
    ProcessSupervisor supervisor() {
        return connection.orElseThrow(() -> new IllegalStateException("no process is started for a text"));
    }

    /** Tells the supervisor which plugin's code runs in this JVM now. */
    void reportPlugin(String plugin) {
        connection.ifPresent(supervisor -> supervisor.namePlugin(plugin));
    }

    /** Tells the supervisor that the launcher ends with this code. */
    void verdict(int code) {
        connection.ifPresent(supervisor -> supervisor.setExitCode(code));
        attached.ifPresent(AttachedSupervisor::awaitEnd);
    }

    /** Ends without a verdict, so that the supervisor ends all processes; empty: the supervisor reports the exit code. */
    OptionalInt abandon() {
        if (attached.isPresent()) {
            return OptionalInt.of(attached.get().abandon());
        }
        return connection.isPresent() ? OptionalInt.empty() : OptionalInt.of(ExitCode.INTERNAL.code());
    }
}
