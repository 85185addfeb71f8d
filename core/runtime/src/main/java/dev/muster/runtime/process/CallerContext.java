package dev.muster.runtime.process;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/**
 * What the caller has given the launcher. Bytes that are no UTF-8 stand in texts as {@link ByteText} has them, so that they are handed on
 * unchanged.
 *
 * @param arguments of the launcher, without its name
 * @param variables the environment
 * @param directory where it was called
 * @param pid of the process that gets the launcher's signals
 * @param ignoredSignals those that the caller ignores, as bits: signal 1 is the lowest
 * @param isInputTerminal whether standard input is one
 * @param isContainers whether that process is the first of a container
 */
public record CallerContext(
        List<String> arguments,
        SortedMap<String, String> variables,
        Path directory,
        long pid,
        long ignoredSignals,
        boolean isInputTerminal,
        boolean isContainers) {

    /** Whether the caller ignores a signal. */
    public boolean ignores(int signal) {
        return (ignoredSignals >> (signal - 1) & 1) == 1;
    }
}
