package dev.muster.runtime.supervise;

import dev.muster.runtime.files.LeftRun;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.files.RunRecord.Owner;
import dev.muster.runtime.process.LateWarden;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Lets end what a run has left whose launcher was killed, and whose warden was killed, too, or stands still: with the grace period that
 * it was promised. Nobody else would.
 */
record Heir(LongSupplier nanoClock) {

    /** Begins it, unless another launcher has done so. What is left then has a warden. */
    void takeOver(Path directory) {
        LeftRun.takeOver(
                directory,
                record -> record.warden().filter(Heir::isThere).isPresent(),
                record -> LateWarden.begin(
                                new RunMarker(record.marker()),
                                record.grace(),
                                record.forerunners(),
                                directory,
                                leaders(record),
                                nanoClock)
                        .map(shell -> new Owner(shell.pid(), shell.start())));
    }

    /** Who is to end the run but stands still: its warden, or a launcher whose start script was killed. Nobody else lets it go on. */
    void wake(RunRecord record) {
        Stream.concat(Stream.of(record.launcher()), record.warden().stream())
                .filter(owner -> isThere(owner) && ProcessSurvey.isStopped(owner.pid()))
                .forEach(owner -> LateWarden.wake(
                        new RunMarker(record.marker()),
                        record.grace(),
                        new ProcessId(owner.pid(), owner.start()),
                        nanoClock));
    }

    static List<ProcessId> leaders(RunRecord record) {
        return record.leaders().stream()
                .map(leader -> new ProcessId(leader.pid(), leader.start()))
                .toList();
    }

    /** Whether a process that is written down is there, and not another one with its number. */
    static boolean isThere(Owner owner) {
        return ProcessTable.isThere(owner.pid(), owner.start());
    }
}
