package dev.muster.runtime.engines;

import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.spi.EngineDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;

/**
 * An engine that can be chosen. Of a plugin's it is what the jar declares: none of its code has run.
 *
 * @param id what users give to {@code --engine}
 * @param summary one line
 * @param options the names of the engine's options, as far as the jar tells
 * @param plugin its jar; empty: it is part of the launcher
 */
public record DeclaredEngine(String id, String summary, List<String> options, Optional<PluginJar> plugin) {

    static final String ATTRIBUTE = "Muster-Engine";
    private static final String OPTIONS = "Muster-Options";

    static DeclaredEngine own(EngineDescriptor descriptor) {
        return new DeclaredEngine(descriptor.id(), descriptor.summary(), List.of(), Optional.empty());
    }

    static DeclaredEngine of(PluginJar jar, PluginJar.Card card) {
        return new DeclaredEngine(card.id(), card.summary(), jar.list(OPTIONS), Optional.of(jar));
    }

    /** The file name of its jar. */
    public String jar() {
        return plugin.map(PluginJar::name).orElse(PluginJar.OWN);
    }

    /** Where users find the jar: {@code plugins/NAME/x.jar}; the launcher's own is everywhere. */
    public String place() {
        return plugin.map(PluginJar::place).orElse(PluginJar.OWN);
    }

    /** The version of the jar. */
    public Optional<String> version() {
        return plugin.isPresent()
                ? plugin.get().attribute(Attributes.Name.IMPLEMENTATION_VERSION.toString())
                : SpiVersion.ofMuster();
    }

    /** The version of the SPI that it was built for. */
    public Optional<String> spi() {
        return plugin.isPresent() ? plugin.get().attribute(SpiVersion.ATTRIBUTE) : Optional.of(SpiVersion.ours());
    }
}
