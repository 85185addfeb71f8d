package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Whether a directory can be another user's word. */
public final class PrivatePlace {

    private static final int OTHERS = 0077;
    private static final int DIRECTORY = 0040000;
    private static final int KIND = 0170000;

    private PrivatePlace() {}

    /** Whether it is a directory, and no link to one, that belongs to a user, and is closed to all others. */
    public static boolean isOf(Path directory, long user) {
        try {
            Map<String, Object> facts = Files.readAttributes(directory, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            int mode = number(facts, "mode");
            return number(facts, "uid") == user && (mode & KIND) == DIRECTORY && (mode & OTHERS) == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static int number(Map<String, Object> facts, String name) {
        return (Integer) Objects.requireNonNull(facts.get(name), name);
    }
}
