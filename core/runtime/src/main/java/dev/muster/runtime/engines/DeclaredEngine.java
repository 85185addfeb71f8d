package dev.muster.runtime.engines;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.List;
import java.util.Optional;

/**
 * An engine as its jar tells of it; none of its classes need have been loaded for that.
 *
 * @param id what users give to {@code --engine}
 * @param summary one line
 * @param jar the file name of the jar, or of the directory, that it comes from
 * @param place where users find that: {@code plugins/NAME/x.jar}; the same as {@code jar} for the launcher's own
 * @param version of the jar
 * @param spi the version of the SPI that the jar says it was built for; empty: it says nothing
 * @param options the names of the engine's options, as far as the jar tells
 */
public record DeclaredEngine(
        String id,
        String summary,
        String jar,
        String place,
        Optional<String> version,
        Optional<String> spi,
        List<String> options) {

    public DeclaredEngine {
        options = List.copyOf(options);
    }

    /** The same jar, whose engine says this of itself. */
    DeclaredEngine by(EngineDescriptor descriptor) {
        List<String> names =
                descriptor.options().stream().map(EngineOption::name).toList();
        return new DeclaredEngine(descriptor.id(), descriptor.summary(), jar, place, version, spi, names);
    }

    /** Where users find the plugin: {@code plugins/NAME}. */
    String plugin() {
        return place.substring(0, Math.max(0, place.lastIndexOf('/')));
    }
}
