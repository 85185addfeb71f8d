package dev.muster.runtime.engines;

import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes plugin jars from classes of the tests. */
public final class TestPlugins {

    private static final String SERVICE = "META-INF/services/" + Engine.class.getName();
    private static final int MAJOR_VERSION = 7;
    private static final byte FROM_THE_FUTURE = 120;

    private TestPlugins() {}

    /** A package home that has one plugin, called {@code plugin}, with one engine called {@code ascend}. */
    public static Path homeWithAscend(Path home) throws IOException {
        jar(home, "plugin/plugin.jar", AscendForTests.class);
        return home;
    }

    /** A jar with this engine. */
    static Path jar(Path home, String path, Class<? extends Engine> engine) throws IOException {
        return write(home, path, engine.getName(), List.of(engine), false);
    }

    /** A jar that names an engine without having its class. */
    static Path jarWithoutClass(Path home, String path, String engine) throws IOException {
        return write(home, path, engine, List.of(), false);
    }

    /** A jar with an engine that was compiled for a Java that does not exist yet. */
    static Path jarFromTheFuture(Path home, String path, Class<? extends Engine> engine) throws IOException {
        return write(home, path, engine.getName(), List.of(engine), true);
    }

    private static Path write(Path home, String path, String provider, List<Class<?>> classes, boolean future)
            throws IOException {
        Path jar = home.resolve("plugins").resolve(path);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            add(entries, SERVICE, provider.getBytes(StandardCharsets.UTF_8));
            for (Class<?> type : classes) {
                byte[] bytes = bytes(type);
                bytes[MAJOR_VERSION] = future ? FROM_THE_FUTURE : bytes[MAJOR_VERSION];
                add(entries, type.getName().replace('.', '/') + ".class", bytes);
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
