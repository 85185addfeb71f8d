package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.engines.Declarations;
import dev.muster.runtime.engines.DeclaredEngine;
import dev.muster.runtime.engines.SpiVersion;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the manifest of a jar says of an engine in it. */
final class JarDeclaration {

    private JarDeclaration() {}

    /** It says what the engine says of itself. */
    static void assertTells(Engine engine) throws IOException {
        Optional<DeclaredEngine> declared = Declarations.of(engine.getClass());
        EngineDescriptor descriptor = engine.descriptor();

        assertThat(declared)
                .as("Muster-Engine: ID; summary in META-INF/MANIFEST.MF, which a directory of classes must have, too")
                .isPresent();
        assertThat(declared.get().id()).as("the id in Muster-Engine").isEqualTo(descriptor.id());
        assertThat(declared.get().summary()).as("the summary in Muster-Engine").isEqualTo(descriptor.summary());
        assertThat(declared.get().spi()).as("Muster-Spi-Version").contains(SpiVersion.ours());
        if (!declared.get().options().isEmpty()) {
            assertThat(declared.get().options())
                    .as("Muster-Options")
                    .containsExactlyInAnyOrderElementsOf(optionNames(descriptor));
        }
    }

    static List<String> optionNames(EngineDescriptor descriptor) {
        return Stream.concat(descriptor.options().stream(), descriptor.simulationOptions().stream())
                .map(EngineOption::name)
                .toList();
    }
}
