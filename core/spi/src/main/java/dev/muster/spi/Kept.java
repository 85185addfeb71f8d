package dev.muster.spi;

import java.util.Collection;
import java.util.SortedSet;

/**
 * That a service stays while a failed job starts again in place: the next run takes over the one that is there, with its pid and its
 * ports, under the same launcher. It is ended, and started anew where the next plan has it, when that plan has it with another command,
 * other variables or another directory, or when one of the files has another content once the steps before the tasks have ended. What it has
 * started itself ends with each run. Without another run it ends as any service does.
 *
 * <p>The run's {@linkplain Value.PrivateDirectory private directory} stays with it, emptied of all but these files when a run ends.
 *
 * @param files names in the private directory that it reads; one that is missing counts as such
 * @since 0.1
 */
public record Kept(SortedSet<String> files) {

    public Kept {
        files = Sorted.set(files);
    }

    public static Kept with(Collection<String> files) {
        return new Kept(Sorted.set(files));
    }
}
