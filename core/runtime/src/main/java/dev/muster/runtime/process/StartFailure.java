package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why the system does not start a process.
 *
 * @param error as {@code errno} has it; negative: of the working directory
 * @param text what it says
 */
record StartFailure(int error, String text) {

    private static final int NO_ENTRY = 2;
    private static final int TOO_LARGE = 7;
    private static final Set<Integer> PASSING = Set.of(11, 12, 23, 24);

    /** The kernel's limit of one argument or variable. */
    private static final long LARGEST_ONE = 128 * 1024;

    private static final int POINTER = 8;

    /** As the end of a process that never ran. */
    Termination termination(ProcessRequest request, SortedMap<String, String> callers) {
        String place = error < 0 ? "the working directory: " : "";
        String problem = error == TOO_LARGE ? text + ": " + size(request, callers) : place + text;
        return Termination.notStarted(code(), problem);
    }

    private ExitCode code() {
        if (PASSING.contains(Math.abs(error))) {
            return ExitCode.TEMPORARY;
        }
        return Math.abs(error) == NO_ENTRY ? ExitCode.NOT_FOUND : ExitCode.NOT_EXECUTABLE;
    }

    private static String size(ProcessRequest request, SortedMap<String, String> callers) {
        SortedMap<String, String> variables = new TreeMap<>(callers);
        variables.keySet().removeAll(request.remove());
        variables.putAll(request.set());
        Collection<String> assignments = variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
        long all = size(request.command()) + size(assignments);
        long largest = Math.max(largest(request.command()), largest(assignments));
        return "its arguments and environment take " + all + " bytes, the largest of them " + largest
                + "; the limit is a quarter of the stack's (ulimit -s) in all, and " + LARGEST_ONE + " each";
    }

    private static long size(Collection<String> texts) {
        return texts.stream().mapToLong(text -> length(text) + POINTER).sum();
    }

    private static long largest(Collection<String> texts) {
        return texts.stream().mapToLong(StartFailure::length).max().orElse(0);
    }

    private static long length(String text) {
        return ByteText.encode(text).length + 1L;
    }
}
