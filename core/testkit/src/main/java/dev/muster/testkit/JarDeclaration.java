package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What the manifest of a jar says of an engine in it. */
final class JarDeclaration {

    /** Those of the launcher's own jar need no declaration. */
    private static final String OWN = "dev.muster.engine.";

    private JarDeclaration() {}

    /** It says what the engine says of itself. */
    static void assertTells(Engine engine) throws IOException {
        EngineDescriptor descriptor = engine.descriptor();
        String card = descriptor.id() + "; " + descriptor.summary();
        if (engine.getClass().getName().startsWith(OWN)) {
            return;
        }
        try (InputStream file = manifest(engine)) {
            Attributes manifest = new Manifest(file).getMainAttributes();
            assertThat(manifest.getValue("Muster-Engine")).isEqualTo(card);
            assertThat(manifest.getValue("Muster-Spi-Version")).matches("[0-9]+[.][0-9]+");
            String options = manifest.getValue("Muster-Options");
            if (options != null && !options.isBlank()) {
                assertThat(options.strip().split("\\s*,\\s*", -1))
                        .as("Muster-Options")
                        .containsExactlyInAnyOrderElementsOf(optionNames(descriptor));
            }
        }
    }

    /** That of the jar that the engine is in, or of the directory of classes that becomes this jar. */
    private static InputStream manifest(Engine engine) throws IOException {
        String home = engine.getClass()
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return new URL((home.endsWith("/") ? home : "jar:" + home + "!/") + JarFile.MANIFEST_NAME).openStream();
    }

    static List<String> optionNames(EngineDescriptor descriptor) {
        return descriptor.options().stream().map(EngineOption::name).toList();
    }
}
