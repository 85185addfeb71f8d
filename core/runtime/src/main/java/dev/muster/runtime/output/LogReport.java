package dev.muster.runtime.output;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a process's output went.
 *
 * @param file the log file; empty: none was written
 * @param bytesLogged bytes of output in the file
 * @param bytesLost bytes that could not be written to the file
 * @param last what the process printed last; secrets are not masked
 */
public record LogReport(Optional<Path> file, long bytesLogged, long bytesLost, Supplier<String> last) {}
