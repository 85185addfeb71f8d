package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * All that a platform may read. The platform's answer depends on nothing else, so evidence recorded on one machine gives the same answer
 * on another.
 *
 * @since 0.2
 */
@Stability(stable = false)
public interface Evidence {

    /** The launcher's variables. */
    SortedMap<String, String> environment();

    /** Facts of the machine itself. */
    NodeInfo machine();

    /** The chosen engine; empty if no engine is chosen. */
    Optional<EngineDescriptor> engine();

    /** The value that the user gives to an option of Muster or of the engine. */
    Optional<OptionValue> option(String name);

    /** Whether the launcher starts processes, or only shows what it would start. */
    boolean startsProcesses();

    /** The content of a regular file of at most 16 MiB, in UTF-8; empty: there is none, or it cannot be read. */
    Optional<String> text(String path);

    /** Whether this file or directory exists. */
    boolean exists(String path);

    /** The names in a directory, sorted; empty if the directory does not exist. */
    List<String> names(String directory);

    /** The output of a command that only asks for a fact; empty when it fails, or takes longer than 2 s. */
    String output(List<String> command);
}
