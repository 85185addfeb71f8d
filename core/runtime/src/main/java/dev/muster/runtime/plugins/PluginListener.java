package dev.muster.runtime.plugins;

/** Is told when code of a plugin runs in this JVM: such code could end the JVM at any moment. */
public interface PluginListener {

    /** A listener that does nothing. */
    PluginListener NOBODY = new PluginListener() {

        @Override
        public boolean isStopping() {
            return false;
        }

        @Override
        public void onCall(String plugin) {}
    };

    /** Whether the launcher was told to stop: then nobody waits for the plugin any more. */
    boolean isStopping();

    /**
     * Code of a plugin is going to run, on a thread of its own.
     *
     * @param plugin its name for users, in one line
     */
    void onCall(String plugin);
}
