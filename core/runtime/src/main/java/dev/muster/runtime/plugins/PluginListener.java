package dev.muster.runtime.plugins;

/** Is told when code of a plugin runs in this JVM, which it could end at any moment. */
public interface PluginListener {

    /** Nobody. */
    PluginListener NOBODY = new PluginListener() {

        @Override
        public boolean areToStop() {
            return false;
        }

        @Override
        public void begins(String plugin) {}
    };

    /** Whether the launcher was told to stop: the code that runs is not waited for any more. */
    boolean areToStop();

    /**
     * Code of a plugin is going to run, on a thread of its own.
     *
     * @param plugin its name for users, in one line
     */
    void begins(String plugin);
}
