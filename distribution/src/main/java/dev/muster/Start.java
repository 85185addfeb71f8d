package dev.muster;

import dev.muster.runtime.app.Main;

/** The first class of the jar. It runs on any Java since 8, so that one too old for the rest is told from a broken jar. */
public final class Start {
    private static final int OLDEST = 17;
    private static final int UNAVAILABLE = 69;

    private Start() {}

    /**
     * Starts the launcher.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        String version = System.getProperty("java.specification.version");
        if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST) {
            System.err.println("muster: needs Java " + OLDEST + " or newer; this is Java " + version + " ("
                    + System.getProperty("java.home") + "). Install openjdk-17-jre-headless or set JAVA_HOME");
            System.exit(UNAVAILABLE);
        }
        Main.main(args);
    }
}
