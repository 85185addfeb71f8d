package dev.muster.e2e;

import dev.muster.spi.Engine;
import dev.muster.spi.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A copy of the package beside the scene's directory, with plugins that tests make. */
final class PluginHome {

    /** Adds more entries to a jar than the class of the plugin. */
    interface More {
        void in(JarOutputStream jar) throws IOException;
    }

    private final Scene scene;
    private final Path home;

    PluginHome(Scene scene) {
        this(scene, Product.home());
    }

    /** @param product the package, with its own Java or without */
    PluginHome(Scene scene, Path product) {
        this.scene = scene;
        home = scene.beside("package");
        scene.command(
                        "/bin/sh",
                        "-c",
                        "mkdir -p \"$1/lib\" \"$1/plugins\"; cp -r \"$0/bin\" \"$1\"; cp -p \"$0/lib/\"*.* \"$1/lib\"; "
                                + "ln -sfn \"$0/lib/cds\" \"$1/lib/cds\"; [ ! -e \"$0/jre\" ] || ln -s \"$0/jre\" \"$1\"",
                        product.toString(),
                        home.toString())
                .run()
                .endedWith(0);
    }

    /** The launcher of this package, with a private directory of its own. */
    Invocation muster(String... arguments) {
        return scene.apart(scene.command(startScript()).with(arguments));
    }

    String startScript() {
        return Product.startScript(home).toString();
    }

    /** The launcher as a plain jar, with this directory as its package. */
    Invocation jar(String... arguments) {
        return scene.apart(scene.jar(arguments).set("MUSTER_HOME", home.toString()));
    }

    Path plugins() {
        return home.resolve("plugins");
    }

    /** Adds {@link HostileEngine} in a jar whose manifest declares the engine. */
    PluginHome declared(String jar, String id) {
        return plugin(jar, Map.of("Muster-Engine", id + "; for tests", "Muster-Spi-Version", "0.2"), entries -> {});
    }

    /** Adds {@link HostileEngine} in a jar whose manifest declares nothing. */
    PluginHome silent(String jar) {
        return plugin(jar, Map.of(), entries -> {});
    }

    /** @param path of the jar below {@code plugins} */
    PluginHome plugin(String path, Map<String, String> words, More more) {
        return plugin(path, words, Engine.class, HostileEngine.class, more);
    }

    /** Adds {@link CloudPlatform} in a jar whose manifest lists the variables that identify the platform. */
    PluginHome platform(String path, String name, String signs) {
        Map<String, String> words = Map.of(
                "Muster-Platform",
                name + "; a cloud for tests",
                "Muster-Platform-Signs",
                signs,
                "Muster-Spi-Version",
                "0.2");
        return plugin(path, words, Platform.class, CloudPlatform.class, entries -> {});
    }

    private PluginHome plugin(String path, Map<String, String> words, Class<?> service, Class<?> provider, More more) {
        Path jar = plugins().resolve(path);
        try {
            Files.createDirectories(jar.getParent());
            try (OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream entries = new JarOutputStream(file, manifest(words))) {
                add(
                        entries,
                        "META-INF/services/" + service.getName(),
                        provider.getName().getBytes(StandardCharsets.UTF_8));
                add(entries, provider.getName().replace('.', '/') + ".class", content(provider));
                more.in(entries);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    static Manifest manifest(Map<String, String> words) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        words.forEach(manifest.getMainAttributes()::putValue);
        return manifest;
    }

    static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        jar.write(content);
        jar.closeEntry();
    }

    private static byte[] content(Class<?> type) throws IOException {
        try (InputStream content = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return content.readAllBytes();
        }
    }
}
