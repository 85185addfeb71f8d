package dev.muster.runtime.inputs;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How the launcher lets time pass before anything is started. A stop request ends every wait at once.
 *
 * @param nanoTime a clock that only goes forward, in nanoseconds; only differences mean anything
 * @param goOnAfter returns when so much time has passed, or as soon as the launcher was told to stop: false then
 * @param waitsFor told what is waited for in a few words, whenever that changes; empty: nothing any more
 */
public record Waiter(LongSupplier nanoTime, Predicate<Duration> goOnAfter, Consumer<String> waitsFor) {}
