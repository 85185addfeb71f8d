package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.platform.Site;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the settings say of the platform's list of faulty cards. */
final class ResetOptions {

    private ResetOptions() {}

    /**
     * Where and how faults are minded; nowhere in a job that has no restarts.
     *
     * @param directory what a relative path is relative to
     */
    static Optional<ResetFile> of(Site site, Path directory) {
        Settings settings = site.settings();
        Optional<Setting> file = settings.given(OptionTable.RESET_FILE);
        return file.filter(any -> Restarts.first(settings).limit() > 0)
                .map(named -> new ResetFile(directory.resolve(named.value()), named.origin()));
    }

    /** @throws MusterException when a list is wanted that would be of no use */
    static void check(Settings settings) {
        if (Restarts.first(settings).limit() == 0) {
            settings.given(OptionTable.RESET_FILE)
                    .filter(given -> given.source() != Setting.Source.PLATFORM)
                    .ifPresent(ResetOptions::refuse);
        }
    }

    private static void refuse(Setting given) {
        throw MusterException.configuration(given.origin() + "=" + given.value() + " is of no use without "
                + OptionTable.RESTARTS.flag() + " N: a fault of a card ends a run, and nothing would start again. Give "
                + OptionTable.RESTARTS.flag() + " N, or leave " + given.origin() + " out");
    }

    /** The plan, with what users should know about it. */
    static LaunchPlan noted(LaunchPlan plan, Optional<ResetFile> resets) {
        return resets.map(file -> plan.toBuilder()
                        .notes(List.of(Note.info("faults of cards are read in " + file.path() + " (" + file.origin()
                                + "); one of this node's ranks ends the run: SIGKILL at once")))
                        .build())
                .orElse(plan);
    }
}
