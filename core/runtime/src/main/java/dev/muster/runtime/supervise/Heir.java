package dev.muster.runtime.supervise;

import dev.muster.runtime.files.LeftRun;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.files.RunRecord.Owner;
import dev.muster.runtime.process.LateWarden;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/** Lets end what a run has left whose launcher and warden were both killed, with the grace period that it was promised: nobody else would. */
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
