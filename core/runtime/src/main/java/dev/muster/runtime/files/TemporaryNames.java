package dev.muster.runtime.files;

import java.util.concurrent.ThreadLocalRandom;

/** Unused file names. */
final class TemporaryNames {

    private TemporaryNames() {}

    /** A name for a file that is soon removed or renamed. */
    static String temporary() {
        return unused(".muster-", ".tmp");
    }

    /**
     * A new name. It need not be secret: callers let the kernel refuse an existing name. A secure generator would cost milliseconds at
     * start.
     */
    static String unused(String prefix, String suffix) {
        return prefix
                + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX)
                + suffix;
    }
}
