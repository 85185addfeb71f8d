package dev.muster.runtime.engines;

import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.spi.EngineDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    static final String OWN_JAR = "muster.jar";

    private static final String OPTIONS = "Muster-Options";
    private static final Pattern CARD =
            Pattern.compile("(?<id>[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+)\\s*;\\s*(?<summary>\\S.*)", Pattern.DOTALL);

    static DeclaredEngine own(EngineDescriptor descriptor) {
        return new DeclaredEngine(descriptor.id(), descriptor.summary(), List.of(), Optional.empty());
    }

    /** What a jar declares with these words; empty where they are not {@code ID; summary}. */
    static Optional<DeclaredEngine> of(PluginJar jar, String words) {
        Matcher card = CARD.matcher(words);
        if (!card.matches()) {
            return Optional.empty();
        }
        List<String> options = jar.attribute(OPTIONS)
                .filter(names -> !names.isEmpty())
                .map(names -> List.of(names.split("\\s*,\\s*", -1)))
                .orElse(List.of());
        return Optional.of(new DeclaredEngine(card.group("id"), card.group("summary"), options, Optional.of(jar)));
    }

    /** The file name of its jar. */
    public String jar() {
        return plugin.map(PluginJar::name).orElse(OWN_JAR);
    }

    /** Where users find the jar: {@code plugins/NAME/x.jar}; the launcher's own is everywhere. */
    public String place() {
        return plugin.map(PluginJar::place).orElse(OWN_JAR);
    }

    /** The version of the jar. */
    public Optional<String> version() {
        return plugin.isPresent()
                ? plugin.get().attribute(Attributes.Name.IMPLEMENTATION_VERSION.toString())
                : Optional.ofNullable(DeclaredEngine.class.getPackage().getImplementationVersion());
    }

    /** The version of the SPI that it was built for. */
    public Optional<String> spi() {
        return plugin.isPresent() ? plugin.get().attribute(SpiVersion.ATTRIBUTE) : Optional.of(SpiVersion.ours());
    }
}
