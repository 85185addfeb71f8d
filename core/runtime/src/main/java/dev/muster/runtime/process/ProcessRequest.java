package dev.muster.runtime.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A process to start.
 *
 * @param id for messages
 * @param command the first element is the absolute path of an executable
 * @param set variables that differ from the user's environment
 * @param remove variables that the process does not get
 * @param directory its working directory
 * @param output the file that both its standard output and its standard error are appended to; empty: a pipe to this JVM
 */
public record ProcessRequest(
        String id,
        List<String> command,
        SortedMap<String, String> set,
        SortedSet<String> remove,
        Path directory,
        Optional<Path> output) {}
