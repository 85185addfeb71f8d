package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * All that a platform may look at. What it tells follows from this alone: an environment that was recorded somewhere shows here what would
 * happen there.
 *
 * @since 0.2
 */
@Stability(stable = false)
public interface Evidence {

    /** The launcher's variables. */
    SortedMap<String, String> environment();

    /** Facts of the machine itself. */
    NodeInfo machine();

    /** The chosen engine; empty where nobody chose one. */
    Optional<EngineDescriptor> engine();

    /** What the user says of an option, Muster's or the engine's. */
    Optional<OptionValue> option(String name);

    /** Whether processes would be started here, and not only shown. */
    boolean startsProcesses();

    /** The content of a regular file of at most 16 MiB, in UTF-8; empty: there is none, or it cannot be read. */
    Optional<String> text(String path);

    /** Whether there is such a file or directory. */
    boolean exists(String path);

    /** The names in a directory, sorted; none where there is no such directory. */
    List<String> names(String directory);

    /** What a command prints that only asks for a fact; empty when it fails, or takes longer than 2 s. */
    String output(List<String> command);
}
