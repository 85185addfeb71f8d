package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Engine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A plugin that was compiled against another SPI than ours: against sources that say what that one looked like. */
final class OldPlugin {

    private static final String SERVICE = "META-INF/services/" + Engine.class.getName();

    private final Path home;
    private final List<JavaFileObject> spi = new ArrayList<>();
    private final List<JavaFileObject> code = new ArrayList<>();
    private final Manifest manifest = new Manifest();

    /** @param home of the package, which gets the plugin {@code old} */
    OldPlugin(Path home) {
        this.home = home;
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    }

    /** A type of the SPI as it was; it need not have more than the plugin uses. */
    OldPlugin spi(String name, String source) {
        spi.add(new Source("dev.muster.spi." + name, "package dev.muster.spi; public " + source));
        return this;
    }

    OldPlugin code(String name, String source) {
        code.add(new Source("old." + name, "package old; import dev.muster.spi.*; public " + source));
        return this;
    }

    OldPlugin says(String attribute, String value) {
        manifest.getMainAttributes().putValue(attribute, value);
        return this;
    }

    /** A jar with the class of an engine, which it names. */
    void engineJar(String jar, String engine) throws IOException {
        says("Muster-Engine", "old; old");
        write(jar, "old." + engine, engine);
    }

    /** A jar with a class that an engine uses. */
    void jar(String jar, String type) throws IOException {
        write(jar, "", type);
    }

    private void write(String name, String provider, String type) throws IOException {
        Path words = Files.createDirectories(home.resolve("words"));
        Path classes = Files.createDirectories(home.resolve("classes"));
        compile(spi, words, words);
        compile(code, classes, words);
        Path jar = home.resolve("plugins/old").resolve(name);
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            if (!provider.isEmpty()) {
                add(entries, SERVICE, provider.getBytes(StandardCharsets.UTF_8));
            }
            for (String file : List.of("old/" + type + ".class", "old/" + type + "$1.class")) {
                if (Files.exists(classes.resolve(file))) {
                    add(entries, file, Files.readAllBytes(classes.resolve(file)));
                }
            }
        }
    }

    private static void compile(List<JavaFileObject> sources, Path into, Path classPath) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-d", into.toString(), "-proc:none", "--release", "17", "-cp", classPath.toString());
        assertThat(compiler.getTask(said, null, null, options, null, sources).call())
                .as("compilation: %s", said)
                .isTrue();
    }

    private static void add(JarOutputStream entries, String name, byte[] bytes) throws IOException {
        entries.putNextEntry(new JarEntry(name));
        entries.write(bytes);
        entries.closeEntry();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
