package dev.muster;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The logger of the libraries in the jar: the JDK's, which is made ready for the first message only, as that takes the JDK longer than a
 * launcher takes to read its command line. The build puts it where they name the other one; see docs/adr/0023.
 */
public final class LateLogger {

    private final String name;

    private LateLogger(String name) {
        this.name = name;
    }

    public static LateLogger getLogger(String name) {
        return new LateLogger(name);
    }

    public static LateLogger getAnonymousLogger() {
        return new LateLogger("");
    }

    /** Guice tells so how long it takes for what. Nobody hears it: the launcher configures no logging. */
    public void fine(String message) {}

    public void info(String message) {
        log(Level.INFO, message);
    }

    public void warning(String message) {
        log(Level.WARNING, message);
    }

    public boolean isLoggable(Level level) {
        return late().isLoggable(level);
    }

    public void log(Level level, String message) {
        late().log(level, message);
    }

    public void log(Level level, String message, Object parameter) {
        late().log(level, message, parameter);
    }

    public void log(Level level, String message, Object[] parameters) {
        late().log(level, message, parameters);
    }

    public void log(Level level, String message, Throwable thrown) {
        late().log(level, message, thrown);
    }

    private Logger late() {
        return Logger.getLogger(name);
    }
}
