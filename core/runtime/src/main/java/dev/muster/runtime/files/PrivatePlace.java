package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Whether a directory can be another user's word. */
public final class PrivatePlace {

    private PrivatePlace() {}

    /** Whether it is a directory, and no link to one, that belongs to a user, and is closed to all others. */
    public static boolean isOf(Path directory, long user) {
        try {
            Facts facts = Facts.of(directory, LinkOption.NOFOLLOW_LINKS);
            return facts.uid() == user && facts.isDirectory() && facts.isClosed();
        } catch (IOException missing) {
            return false;
        }
    }
}
