package dev.muster.runtime.files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Gives files to another user. Only root can do that. Outside of CI, tests that need it are skipped for other users. */
final class OtherUser {

    static final int UID = 47_110;

    private OtherUser() {}

    static void give(Path path) throws IOException {
        boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        assumeTrue(isRoot || "true".equals(System.getenv("CI")), "this test needs root");
        Files.setAttribute(path, "unix:uid", UID, LinkOption.NOFOLLOW_LINKS);
    }
}
