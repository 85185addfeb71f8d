package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.files.RunRecord.Machine;
import dev.muster.runtime.files.RunRecord.Owner;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.FileLocks;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.process.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The other runs of the same part of a job: one that is still ending is waited for. */
final class Neighbours {

    private static final Path SELF = Path.of("/proc/self");

    private final RunSettings settings;
    private final RunDirectory directory;
    private final Guard guard;
    private final Waits waits;

    Neighbours(RunSettings settings, RunDirectory directory, Guard guard, Waits waits) {
        this.settings = settings;
        this.directory = directory;
        this.guard = guard;
        this.waits = waits;
    }

    /**
     * Waits for the end of an earlier run whose launcher is dead, and writes down for later ones whose directory this run has.
     *
     * @param forerunners the variables by which the forerunners of this run's processes are known
     * @return false when the launcher was told to stop meanwhile
     * @throws MusterException when it does not end
     */
    boolean haveEnded(RunMarker marker, Set<String> forerunners, Signals signals, LongSupplier nanoClock) {
        Optional<Owner> self = self();
        if (settings.identity().isEmpty() || self.isEmpty()) {
            return true;
        }
        RunRecord record = record(settings.identity().get(), self.get(), marker, forerunners);
        // A directory that the run before has left has its record and its warden.
        boolean isKnown = directory.madePath().isPresent() || write(record);
        return !isKnown || new EarlierRuns(record, directory, signals::goOnAfter, nanoClock, waits).areOver();
    }

    private RunRecord record(RunIdentity identity, Owner self, RunMarker marker, Set<String> forerunners) {
        return new RunRecord(
                identity.job(),
                identity.part(),
                Machine.here(),
                self,
                guard.identity().map(Neighbours::owner),
                Optional.empty(),
                settings.grace(),
                marker.value(),
                forerunners,
                List.of());
    }

    /** Makes the directory with it; false where there can be none. */
    private boolean write(RunRecord record) {
        // Who is killed between these two leaves a directory that is nobody's, unless it has a guard.
        if (directory.pathIfPossible().isEmpty()) {
            return false;
        }
        directory.record(record);
        if (FileLocks.canBeAsked()) {
            directory.expectWardenLock();
        }
        return true;
    }

    /** By the number that this process has in {@code /proc}, which may be that of another container than its own. */
    private static Optional<Owner> self() {
        try {
            String number = String.valueOf(SELF.toRealPath().getFileName());
            return ProcessTable.identify(Long.parseLong(number)).map(Neighbours::owner);
        } catch (IOException noProc) {
            return Optional.empty();
        }
    }

    private static Owner owner(ProcessId process) {
        return new Owner(process.pid(), process.start());
    }

    /** There is a new warden. */
    void guardedBy(ProcessId warden) {
        directory.recordWarden(owner(warden));
    }
}
