package dev.muster.runtime.files;

import java.nio.charset.StandardCharsets;

/** How long a name may be on every file system in use. */
final class NameLength {

    /** Bytes of the longest name. */
    static final int MOST = 255;

    /** Bytes at the end of a name that tell it from others of its directory: which process, which run, which kind of file. */
    private static final int OWN_END = 127;

    private NameLength() {}

    /** Bytes of a name. */
    static int of(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The name, or where it is too long one that lacks a piece of its middle: of a job's id, with which our names begin. */
    static String fit(String name) {
        int excess = of(name) - MOST;
        if (excess <= 0) {
            return name;
        }
        int end = name.length();
        while (of(name.substring(end)) < OWN_END) {
            end = name.offsetByCodePoints(end, -1);
        }
        int from = end;
        while (of(name.substring(from, end)) < excess) {
            from = name.offsetByCodePoints(from, -1);
        }
        return name.substring(0, from) + name.substring(end);
    }
}
