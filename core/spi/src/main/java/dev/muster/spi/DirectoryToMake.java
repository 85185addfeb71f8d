package dev.muster.spi;

/**
 * A directory that processes expect; parents are made too.
 *
 * @param path absolute
 * @param purpose for messages, for example {@code working directory of rank 3}
 * @param required whether the job is refused when it cannot be made; else the user is warned
 * @since 0.1
 */
public record DirectoryToMake(String path, String purpose, boolean required) {}
