package dev.muster.runtime.engines;

import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;

/**
 * An engine that can be chosen. For a plugin this is what its jar declares: none of its code has run.
 *
 * @param descriptor for a plugin it has only the names of options that the jar lists
 * @param plugin its jar; empty: the engine is part of the launcher
 */
public record DeclaredEngine(EngineDescriptor descriptor, Optional<PluginJar> plugin) {

    static final String ATTRIBUTE = "Muster-Engine";
    private static final String OPTIONS = "Muster-Options";

    static DeclaredEngine of(PluginJar jar, PluginJar.Card card) {
        List<EngineOption> options = jar.list(OPTIONS).stream()
                .map(name -> EngineOption.of(name, EngineOption.Kind.TEXT, ""))
                .toList();
        EngineDescriptor descriptor = EngineDescriptor.of(card.id(), card.summary());
        return new DeclaredEngine(descriptor.withOptions(options), Optional.of(jar));
    }

    /** What users give to {@code --engine}. */
    public String id() {
        return descriptor.id();
    }

    /** The file name of its jar. */
    public String jar() {
        return plugin.map(PluginJar::name).orElse(PluginJar.OWN);
    }

    /** Where users find the jar: {@code plugins/NAME/x.jar}, or the launcher's own jar. */
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
