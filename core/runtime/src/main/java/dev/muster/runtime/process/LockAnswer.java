package dev.muster.runtime.process;

import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The result of taking the lock of a part of a job.
 *
 * @param isTaken whether this launcher has it
 * @param holder pid of the other launcher that holds it; 0: unknown
 * @param grace of that launcher
 */
public record LockAnswer(boolean isTaken, long holder, Duration grace) {

    static final LockAnswer TAKEN = new LockAnswer(true, 0, Duration.ZERO);

    private static final LockAnswer BY_SOMEBODY = new LockAnswer(false, 0, Duration.ZERO);
    private static final String WORDS = "[0-9]{1,15} [0-9]{1,15}";

    /** The text that the holder writes into the lock's file. */
    static String text(long pid, Duration grace) {
        return pid + " " + grace.toMillis();
    }

    /** Another launcher holds it. */
    static LockAnswer busy(Path file) {
        String text = ReadableFiles.text(file);
        if (!text.matches(WORDS)) {
            return BY_SOMEBODY;
        }
        String[] words = text.split(" ", -1);
        return new LockAnswer(false, Long.parseLong(words[0]), Duration.ofMillis(Long.parseLong(words[1])));
    }
}
