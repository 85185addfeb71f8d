package dev.muster.runtime.config;

import java.util.Locale;
import java.util.Map;

/** How users name a signal: as {@code kill} takes it, with SIG or without, in capitals or not, or by number. */
public final class SignalName {

    /** The signals that users may send a program, by their numbers in Linux. */
    private static final Map<String, String> NUMBERS =
            Map.of("1", "HUP", "2", "INT", "3", "QUIT", "10", "USR1", "12", "USR2");

    private SignalName() {}

    /** The name in capitals and without SIG. A wrong name stays wrong. */
    public static String plain(String text) {
        String name = text.toUpperCase(Locale.ROOT);
        return NUMBERS.getOrDefault(name, name.startsWith("SIG") ? name.substring(3) : name);
    }
}
