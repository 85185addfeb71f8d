package dev.muster.runtime.engines;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What the jar of a class says of its engine. For tests of engines, which may not be in a jar yet. */
public final class Declarations {

    /** Those of the launcher's own jar, whose manifest is the launcher's: the comments of its service file declare them. */
    private static final String OWN = "dev.muster.engine.";

    private Declarations() {}

    /**
     * What is declared of an engine by the jar that it is in, or by the directory of classes that becomes this jar.
     *
     * @return empty when nothing is, or not in the right form
     * @throws IOException when the jar cannot be read
     */
    public static Optional<DeclaredEngine> of(Class<?> engine) throws IOException {
        Path home = home(engine);
        if (Files.isRegularFile(home)) {
            return PluginJar.read(home, home.toString()).engine();
        }
        if (engine.getName().startsWith(OWN)) {
            return own(engine, home);
        }
        Path manifest = home.resolve(JarFile.MANIFEST_NAME);
        if (!Files.isRegularFile(manifest)) {
            return Optional.empty();
        }
        try (InputStream content = Files.newInputStream(manifest)) {
            return PluginJar.of(home, home.toString(), new Manifest(content).getMainAttributes(), List.of())
                    .engine();
        }
    }

    private static Optional<DeclaredEngine> own(Class<?> engine, Path home) throws IOException {
        try (InputStream content = Files.newInputStream(home.resolve(ServiceFile.NAME))) {
            for (ServiceFile.Provider provider : ServiceFile.read(content)) {
                if (provider.type().equals(engine.getName())) {
                    return provider.card().map(card -> OwnEngines.declared(card, home.toString()));
                }
            }
        }
        return Optional.empty();
    }

    private static Path home(Class<?> engine) throws IOException {
        try {
            return Path.of(
                    engine.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            throw new IOException("engine " + engine.getName() + " is in no file", noFile);
        }
    }
}
