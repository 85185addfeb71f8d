package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes plugin jars from classes of the tests. */
public final class TestPlugins {

    private static final String SERVICE = "META-INF/services/" + Engine.class.getName();

    private TestPlugins() {}

    /** A package home that has one plugin, called {@code plugin}, with one engine called {@code ascend}. */
    public static Path homeWithAscend(Path home) throws IOException {
        declared(
                home,
                "plugin/plugin.jar",
                AscendForTests.class,
                Map.of("Muster-Engine", "ascend; one process per card"));
        return home;
    }

    /** A jar with this engine. The id is the class name without {@code ForTests}, in lower case. */
    static Path jar(Path home, String path, Class<? extends Engine> engine) throws IOException {
        String id = engine.getSimpleName().replace("ForTests", "").toLowerCase(Locale.ROOT);
        return declared(home, path, engine, Map.of("Muster-Engine", id + "; for tests"));
    }

    /** A jar with this engine, and these entries in its manifest. */
    static Path declared(Path home, String path, Class<? extends Engine> engine, Map<String, String> words)
            throws IOException {
        return write(home, path, engine.getName(), List.of(engine), words);
    }

    /** A jar that names an engine but does not hold its class. */
    static Path jarWithoutClass(Path home, String path, String engine) throws IOException {
        return write(home, path, engine, List.of(), Map.of("Muster-Engine", "missing; for tests"));
    }

    private static Path write(
            Path home, String path, String provider, List<Class<?>> classes, Map<String, String> words)
            throws IOException {
        Path jar = home.resolve("plugins").resolve(path);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        words.forEach(manifest.getMainAttributes()::putValue);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            add(entries, SERVICE, provider.getBytes(StandardCharsets.UTF_8));
            for (Class<?> type : classes) {
                add(entries, type.getName().replace('.', '/') + ".class", bytes(type));
            }
        }
        return jar;
    }

    private static void add(JarOutputStream entries, String name, byte[] bytes) throws IOException {
        entries.putNextEntry(new JarEntry(name));
        entries.write(bytes);
        entries.closeEntry();
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return in.readAllBytes();
        }
    }
}
