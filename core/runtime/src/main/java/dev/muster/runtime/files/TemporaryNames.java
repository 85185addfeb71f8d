package dev.muster.runtime.files;

import java.util.concurrent.ThreadLocalRandom;

/** Names that nobody else is using. */
final class TemporaryNames {

    private TemporaryNames() {}

    /** One for a file that is removed, or gets another name, at once. */
    static String temporary() {
        return unused(".muster-", ".tmp");
    }

    /**
     * A new name. It need not be a secret: whoever uses it has the system refuse what exists. The secure generators cost
     * milliseconds at start.
     */
    static String unused(String prefix, String suffix) {
        return prefix
                + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX)
                + suffix;
    }
}
