package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Who could have written a file that was read. Platforms give rank tables to users and directories of their own, so that this is
 * said and no more; a file that anybody can write to is refused.
 */
final class Provenance {

    private List<String> warnings = List.of();

    /** What the user should know. */
    List<String> warnings() {
        return warnings;
    }

    /**
     * What becomes of a look.
     *
     * @param subject what messages call the file
     * @param ready what it showed, if the file is trusted
     */
    Look judge(Path file, String subject, Look.Ready ready) {
        try {
            Trust.Judgement judgement = Trust.ofData(file);
            if (judgement.refusal().isPresent()) {
                Trust.Flaw flaw = judgement.refusal().get();
                return new Look.Refused(Printable.escape(flaw.of(file)), "Use: " + flaw.remedy());
            }
            // The first is nearest to the top of the machine: what is below follows from it.
            warnings = judgement.warnings().stream()
                    .limit(1)
                    .map(flaw -> subject + " " + Printable.escape(flaw.of(file)))
                    .toList();
        } catch (IOException goneByNow) {
            warnings = List.of();
        }
        return ready;
    }
}
