package dev.muster.runtime.process;

import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What comes of taking the lock of a part of a job.
 *
 * @param isTaken whether this launcher has it
 * @param holder pid of who has it else; 0 where nobody tells
 * @param grace of that one
 */
public record LockAnswer(boolean isTaken, long holder, Duration grace) {

    static final LockAnswer TAKEN = new LockAnswer(true, 0, Duration.ZERO);

    private static final LockAnswer BY_SOMEBODY = new LockAnswer(false, 0, Duration.ZERO);
    private static final String WORDS = "[0-9]{1,15} [0-9]{1,15}";

    /** What whoever has the lock writes into its file. */
    static String text(long pid, Duration grace) {
        return pid + " " + grace.toMillis();
    }

    /** Somebody else has it. */
    static LockAnswer busy(Path file) {
        String text = ReadableFiles.text(file);
        if (!text.matches(WORDS)) {
            return BY_SOMEBODY;
        }
        String[] words = text.split(" ", -1);
        return new LockAnswer(false, Long.parseLong(words[0]), Duration.ofMillis(Long.parseLong(words[1])));
    }
}
