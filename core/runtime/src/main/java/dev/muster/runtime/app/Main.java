package dev.muster.runtime.app;

/** The program's entry. */
public final class Main {
    private Main() {}

    /**
     * Runs the launcher.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.out.println("muster: a stub, until the runtime is here");
    }
}
