package dev.muster.runtime.platform;

import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Platform;
import java.util.ArrayList;
import java.util.List;

/**
 * All platforms. Those of plugins are asked first: whoever adds one knows the place better than we do. Ours follow in the order of
 * {@code platforms.txt}.
 */
public final class PlatformCatalog {

    private final PluginJars jars;
    private final PluginListener listener;
    private final List<Platform> platforms = new ArrayList<>();
    private final List<BrokenPlugin> problems = new ArrayList<>();

    /** @param listener is told when code of plugins runs */
    public PlatformCatalog(PluginJars jars, PluginListener listener) {
        this.jars = jars;
        this.listener = listener;
    }

    /** The platforms that can be asked; those of plugins first. Runs no code of plugins. */
    public List<Platform> platforms() {
        if (platforms.isEmpty()) {
            problems.addAll(jars.broken());
            for (PluginJar jar : jars.found()) {
                jar.card(PluginPlatform.ATTRIBUTE, problems::add)
                        .ifPresent(card -> platforms.add(new PluginPlatform(card, jar, listener)));
            }
            platforms.addAll(KnownPlatform.ALL);
        }
        return platforms;
    }

    /** What is wrong with jars, any of which may have a platform. */
    public List<BrokenPlugin> problems() {
        platforms();
        return problems;
    }
}
