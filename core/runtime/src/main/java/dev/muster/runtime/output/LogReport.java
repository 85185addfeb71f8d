package dev.muster.runtime.output;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a process's output went.
 *
 * @param file its log file; empty when there was none to write
 * @param bytesLogged how much of the output is in the file
 * @param bytesLost how much is not, although there is a file
 * @param last what the process printed last, unmasked
 */
public record LogReport(Optional<Path> file, long bytesLogged, long bytesLost, Supplier<String> last) {}
