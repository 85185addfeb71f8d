package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * The kernel's status of a file, at one moment.
 *
 * @param mode type and permissions, as in {@code stat}
 * @param uid of its owner
 * @param links the number of its hard links
 * @param device the file system's device number
 */
record FileStatus(int mode, int uid, int links, long device) {

    private static final String WANTED = "unix:mode,uid,nlink,dev";

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int FILE = 0100000;
    private static final int LINK = 0120000;
    private static final int STICKY = 01000;
    private static final int OF_GROUP = 0020;
    private static final int OF_OTHERS = 0002;
    private static final int ALL_OF_OTHERS = 0007;
    private static final int PERMISSIONS = 07777;

    static FileStatus of(Path path, LinkOption... options) throws IOException {
        Map<String, Object> status = Files.readAttributes(path, WANTED, options);
        return new FileStatus(
                number(status, "mode").intValue(),
                number(status, "uid").intValue(),
                number(status, "nlink").intValue(),
                number(status, "dev").longValue());
    }

    private static Number number(Map<String, Object> status, String name) throws IOException {
        if (status.get(name) instanceof Number number) {
            return number;
        }
        throw new IOException("the system does not tell its " + name);
    }

    boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    boolean isFile() {
        return (mode & TYPE) == FILE;
    }

    boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    /** Whether others can add files, and remove only their own. */
    boolean isSticky() {
        return (mode & STICKY) != 0;
    }

    boolean groupWrites() {
        return (mode & OF_GROUP) != 0;
    }

    boolean othersWrite() {
        return (mode & OF_OTHERS) != 0;
    }

    /** Whether others can read, write or execute it. */
    boolean isOpenToOthers() {
        return (mode & ALL_OF_OTHERS) != 0;
    }

    /** For example {@code 0644}. */
    String permissions() {
        return "0" + Integer.toOctalString(mode & PERMISSIONS);
    }
}
