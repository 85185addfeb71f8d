package dev.muster.runtime.output;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What became of the output of one process.
 *
 * @param bytesLogged bytes of its output that are in the log file
 * @param bytesLost bytes of its output that should be in the log file and are not
 * @param logFile empty when it was to have none
 */
public record StreamReport(long bytesLogged, long bytesLost, Optional<Path> logFile) {}
