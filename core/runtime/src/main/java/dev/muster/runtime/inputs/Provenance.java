package dev.muster.runtime.inputs;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks who could have written an input file. Platforms give rank tables to users and directories of their own, so these cause warnings
 * only. A file that anybody can write to is refused.
 */
final class Provenance {

    private Provenance() {}

    /**
     * The attempt, or a refusal, or the attempt with a warning, if others could have written the file.
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
            // The first warning is about the directory nearest to the root, and the others follow from it.
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
