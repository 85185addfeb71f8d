package dev.muster.runtime.engines;

import dev.muster.runtime.files.Reasons;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * What a jar of a plugin says of itself, read without a class loader.
 *
 * @param path of the jar
 * @param place how users are told of it: {@code plugins/NAME/x.jar}
 * @param declared the value of {@code Muster-Engine}, as it stands in the manifest
 * @param spi the value of {@code Muster-Spi-Version}
 * @param version of the jar
 * @param options the names in {@code Muster-Options}
 * @param providers the classes of engines that the jar names
 */
record PluginJar(
        Path path,
        String place,
        Optional<String> declared,
        Optional<String> spi,
        Optional<String> version,
        List<String> options,
        List<ServiceFile.Provider> providers) {

    private static final String ENGINE = "Muster-Engine";
    private static final String OPTIONS = "Muster-Options";
    /** Signed jars list all that is in them there. */
    private static final int LONGEST_MANIFEST = 1 << 23;

    PluginJar {
        options = List.copyOf(options);
        providers = List.copyOf(providers);
    }

    /** @throws IOException when it cannot be read; the message says what is wrong, to be read after the jar's name */
    static PluginJar read(Path jar, String place) throws IOException {
        // A pipe would be waited for.
        if (!Files.isRegularFile(jar)) {
            throw new IOException("is no regular file");
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return of(jar, place, manifest(file), providers(file));
        } catch (IOException unreadable) {
            throw new IOException("cannot be read: " + Reasons.of(unreadable), unreadable);
        } catch (IllegalArgumentException damaged) {
            throw new IOException("cannot be read: " + damaged.getMessage(), damaged);
        }
    }

    static PluginJar of(Path jar, String place, Attributes manifest, List<ServiceFile.Provider> providers) {
        return new PluginJar(
                jar,
                place,
                Optional.ofNullable(manifest.getValue(ENGINE)),
                Optional.ofNullable(manifest.getValue(SpiVersion.ATTRIBUTE)).map(String::strip),
                Optional.ofNullable(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)),
                names(manifest.getValue(OPTIONS)),
                providers);
    }

    private static Attributes manifest(ZipFile file) throws IOException {
        ZipEntry entry = file.getEntry(JarFile.MANIFEST_NAME);
        if (entry == null) {
            return new Attributes();
        }
        try (InputStream content = file.getInputStream(entry)) {
            byte[] bytes = content.readNBytes(LONGEST_MANIFEST);
            return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
        }
    }

    private static List<ServiceFile.Provider> providers(ZipFile file) throws IOException {
        ZipEntry entry = file.getEntry(ServiceFile.NAME);
        if (entry == null) {
            return List.of();
        }
        try (InputStream content = file.getInputStream(entry)) {
            return ServiceFile.read(content);
        }
    }

    private static List<String> names(@Nullable String list) {
        return list == null || list.isBlank() ? List.of() : List.of(list.strip().split("\\s*,\\s*", -1));
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    /** Whether it has, or says that it has, an engine; all others are libraries. */
    boolean isEngine() {
        return declared.isPresent() || !providers.isEmpty();
    }

    /** What it declares; empty: it declares nothing, or not in the right form. */
    Optional<DeclaredEngine> engine() {
        return declared.flatMap(NameCard::read)
                .map(card -> new DeclaredEngine(card.id(), card.summary(), name(), place, version, spi, options));
    }

    /** What is wrong with what it says of itself. */
    Optional<String> problem() {
        if (declared.isPresent() && engine().isEmpty()) {
            return Optional.of(ENGINE + " in its manifest is not \"ID; summary\", but \"" + declared.get() + "\"");
        }
        return declared.isPresent() && providers.isEmpty()
                ? Optional.of("it declares engine " + engine().orElseThrow().id() + ", but names no class of it in "
                        + ServiceFile.NAME)
                : Optional.empty();
    }
}
