package dev.muster.runtime.link;

import java.util.List;
import java.util.SortedMap;

/** What a member tells its leader. */
sealed interface Told {

    /** What needs no other form than this launcher's supervisor gave it; not {@link Said.Planned}. */
    record Plainly(Said said) implements Told {}

    /** See {@link Said.Planned}. */
    record Plan(SortedMap<String, String> equal, String digest, boolean follows) implements Told {}

    /** Some of the processes of other launchers that it waits for. */
    record Watching(List<String> processes) implements Told {
        public Watching {
            processes = List.copyOf(processes);
        }
    }

    /** The answer to {@link Order.OtherCommand}. */
    record Command(String command) implements Told {}
}
