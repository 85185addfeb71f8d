package dev.muster.runtime.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the supervisor does when the JVM has died.
 *
 * @param grace between SIGTERM and SIGKILL
 * @param toAll whether SIGTERM goes to all at once
 * @param codeAfterTerm what a stop by SIGTERM ends with
 * @param directory removed with its content once nothing runs
 * @param terminationLog the file in which Kubernetes looks for last words
 */
public record SupervisorSettings(
        Duration grace, boolean toAll, int codeAfterTerm, Optional<Path> directory, Optional<Path> terminationLog) {}
