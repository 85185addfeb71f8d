package dev.muster.runtime.inputs;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How the launcher waits before it starts anything. A stop request ends every wait at once.
 *
 * @param nanoTime a clock that only goes forward, in nanoseconds; only differences mean anything
 * @param sleep waits for this time; returns false as soon as the launcher was told to stop
 * @param onAwaited is told what the launcher waits for, in a few words, at each change; empty: nothing any more
 */
public record WaitContext(LongSupplier nanoTime, Predicate<Duration> sleep, Consumer<String> onAwaited) {}
