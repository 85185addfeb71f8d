package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Who could have written a file that was read. Platforms give rank tables to users and directories of their own, so that this is
 * said and no more; a file that anybody can write to is refused.
 */
final class Provenance {

    private Provenance() {}

    /**
     * What becomes of an attempt.
     *
     * @param subject what messages call the file
     */
    static ReadAttempt judge(Path file, String subject, ReadAttempt attempt) {
        if (!(attempt instanceof ReadAttempt.Ready ready)) {
            return attempt;
        }
        try {
            Trust.Judgement judgement = Trust.ofData(file);
            if (judgement.refusal().isPresent()) {
                Trust.Flaw flaw = judgement.refusal().get();
                return new ReadAttempt.Refused(Printable.escape(flaw.of(file)), "Use: " + flaw.remedy());
            }
            // The first is nearest to the top of the machine: what is below follows from it.
            return new ReadAttempt.Ready(
                    ready.value(),
                    judgement.warnings().stream()
                            .limit(1)
                            .map(flaw -> subject + " " + Printable.escape(flaw.of(file)))
                            .toList());
        } catch (IOException goneByNow) {
            return ready;
        }
    }
}
