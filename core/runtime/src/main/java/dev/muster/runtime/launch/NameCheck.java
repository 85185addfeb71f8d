package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.NameLength;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.ProcessSpec;

/** Refuses an id of which file names would be made that no file system takes: nothing of the run could be kept. */
final class NameCheck {

    private static final int LONGEST_SHOWN = 60;

    private NameCheck() {}

    /** @throws MusterException with the code for the place where the id came from */
    static void refuseTooLong(Site site, Node node, LaunchPlan plan) {
        String longest = NodeRun.resultFileName(
                site.jobId(),
                plan.name(),
                NodeRun.nodeName(node.index(), node.name().map(name -> name.value())));
        for (ProcessSpec process : plan.processes()) {
            String name = process.launch().logFile();
            longest = NameLength.of(name) > NameLength.of(longest) ? name : longest;
        }
        int most = NameLength.MOST - (NameLength.of(longest) - NameLength.of(site.jobId()));
        // Without room for any id, it is another name that is too long.
        if (NameLength.of(longest) > NameLength.MOST && longest.startsWith(site.jobId()) && most > 0) {
            Setting id = site.settings().find(OptionTable.JOB_ID).orElseThrow();
            throw new MusterException(id.source().exitCode(), message(site.jobId(), id.origin(), longest, most));
        }
    }

    private static String message(String id, String origin, String longest, int most) {
        return origin + ": the job's id \"" + Printable.escape(Shortened.to(LONGEST_SHOWN, id)) + "\" has "
                + NameLength.of(id)
                + " bytes, and a file called after it would have a name of " + NameLength.of(longest) + " (it ends in "
                + Printable.escape(longest.substring(id.length())) + "); file systems take " + NameLength.MOST
                + ". Give an id of at most " + most + " bytes";
    }
}
