package dev.muster.runtime.platform;

import dev.muster.spi.OptionValue;
import java.util.Optional;

/**
 * Where things belong on a platform.
 *
 * @param work the working directory of the ranks, or the parent of their working directories
 * @param workPerTask whether every rank works in a directory of its own below {@code work}
 * @param log where logs and results go
 * @param tables where generated tables go; empty: no particular place
 */
record ContractPlaces(OptionValue work, boolean workPerTask, OptionValue log, Optional<String> tables) {}
