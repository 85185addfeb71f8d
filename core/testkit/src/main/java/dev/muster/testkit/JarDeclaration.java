package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.engines.SpiVersion;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** What the manifest of a jar says of an engine in it. */
final class JarDeclaration {

    /** Those of the launcher's own jar, whose manifest is the launcher's: the comments of its service file declare them. */
    private static final String OWN = "dev.muster.engine.";

    private JarDeclaration() {}

    /** It says what the engine says of itself. */
    static void assertTells(Engine engine) throws IOException {
        EngineDescriptor descriptor = engine.descriptor();
        String card = descriptor.id() + "; " + descriptor.summary();
        String type = engine.getClass().getName();
        if (type.startsWith(OWN)) {
            try (InputStream file = open(engine, "META-INF/services/" + Engine.class.getName())) {
                assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                        .contains(type + " # " + card);
            }
            return;
        }
        try (InputStream file = open(engine, JarFile.MANIFEST_NAME)) {
            Attributes manifest = new Manifest(file).getMainAttributes();
            assertThat(manifest.getValue("Muster-Engine")).isEqualTo(card);
            assertThat(manifest.getValue("Muster-Spi-Version")).isEqualTo(SpiVersion.ours());
            String options = manifest.getValue("Muster-Options");
            if (options != null && !options.isBlank()) {
                assertThat(options.strip().split("\\s*,\\s*", -1))
                        .as("Muster-Options")
                        .containsExactlyInAnyOrderElementsOf(optionNames(descriptor));
            }
        }
    }

    /** A file of the jar that the engine is in, or of the directory of classes that becomes this jar. */
    private static InputStream open(Engine engine, String name) throws IOException {
        String home = engine.getClass()
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return new URL((home.endsWith("/") ? home : "jar:" + home + "!/") + name).openStream();
    }

    static List<String> optionNames(EngineDescriptor descriptor) {
        return Stream.concat(descriptor.options().stream(), descriptor.simulationOptions().stream())
                .map(EngineOption::name)
                .toList();
    }
}
