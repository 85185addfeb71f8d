package dev.muster.runtime.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** How wide the terminal is that standard error leads to; asked anew from time to time, since windows change. */
public final class TerminalSize implements IntSupplier {

    private static final int USUAL = 80;
    private static final String TERMINAL = "/proc/self/fd/2";
    private static final long VALID = TimeUnit.SECONDS.toNanos(3);
    private static final long PATIENCE_MILLIS = 500;

    private final LongSupplier nanoClock;
    private int columns = USUAL;
    private long askedAt;
    private boolean wasAsked;
    private boolean isKnown = true;

    public TerminalSize(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public synchronized int getAsInt() {
        long now = nanoClock.getAsLong();
        if (isKnown && (!wasAsked || now - askedAt >= VALID)) {
            wasAsked = true;
            askedAt = now;
            ask();
        }
        return columns;
    }

    /** Java has no words for this. Who gives no answer once is not asked again. */
    private void ask() {
        isKnown = false;
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File(TERMINAL))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return;
            }
            read(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
        } catch (IOException | OutOfMemoryError noProcess) {
            // Then it is as wide as most are.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** @param answer such as {@code 24 80}; a terminal that nobody has told its size says 0 */
    private void read(String answer) {
        String[] numbers = answer.split(" ", -1);
        if (numbers.length == 2 && numbers[1].matches("[0-9]{1,5}")) {
            int told = Integer.parseInt(numbers[1]);
            columns = told == 0 ? USUAL : told;
            isKnown = true;
        }
    }
}
