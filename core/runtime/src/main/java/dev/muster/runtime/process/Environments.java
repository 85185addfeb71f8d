package dev.muster.runtime.process;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** What the environments of processes say of whose they are. */
final class Environments {

    private static final byte[] ANY_MARKER = bytes(RunMarker.VARIABLE + "=");
    private static final byte[] WARDEN = bytes(WardenSettings.GRACE_AND_MARKER + "=");

    private final byte[] assignment;
    /** What has just been forked may still become the program that gets the marker. After this nobody does. */
    private static final Duration BIRTH = Duration.ofSeconds(5);

    /** Those that never carry the marker. */
    private final Set<ProcessId> strangers = new HashSet<>();

    private final long oldest;

    /** @param oldest when the first process started that can carry the marker, in ticks since the machine did */
    Environments(RunMarker marker, long oldest) {
        this.assignment = bytes(marker.assignment());
        this.oldest = oldest;
    }

    /** Whose a process is. */
    enum Kind {
        /** It carries the run's marker. */
        MARKED,
        /** A launcher within the run ends it, as it should be ended: it carries another run's marker, or is a warden. */
        THEIRS,
        UNMARKED
    }

    Kind kind(LiveProcess process) {
        if (process.id().start() < oldest || strangers.contains(process.id())) {
            return Kind.UNMARKED;
        }
        byte[] environment = ProcFiles.environment(process.pid());
        if (isMarked(environment)) {
            return Kind.MARKED;
        }
        if (hasVariable(environment, ANY_MARKER) || hasVariable(environment, WARDEN)) {
            return Kind.THEIRS;
        }
        // Between two programs a process has none.
        if (environment.length > 0 && process.age().compareTo(BIRTH) > 0) {
            strangers.add(process.id());
        }
        return Kind.UNMARKED;
    }

    boolean isMarked(byte[] environment) {
        return has(environment, assignment, false);
    }

    /** Nobody else is there any more. */
    void forgetAllBut(Collection<LiveProcess> there) {
        strangers.retainAll(there.stream().map(LiveProcess::id).collect(Collectors.toSet()));
    }

    private static boolean hasVariable(byte[] environment, byte[] beginning) {
        return has(environment, beginning, true);
    }

    /** Whether an environment, its variables separated by zero bytes, has this one, or one that begins so. */
    private static boolean has(byte[] environment, byte[] wanted, boolean isBeginning) {
        int start = 0;
        for (int end = 0; end <= environment.length; end++) {
            if (end == environment.length || environment[end] == 0) {
                boolean isLongEnough = isBeginning ? end - start >= wanted.length : end - start == wanted.length;
                if (isLongEnough
                        && Arrays.equals(environment, start, start + wanted.length, wanted, 0, wanted.length)) {
                    return true;
                }
                start = end + 1;
            }
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
