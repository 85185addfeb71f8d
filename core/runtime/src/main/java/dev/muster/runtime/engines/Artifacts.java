package dev.muster.runtime.engines;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Finds libraries that lie in a plugin's directory in two versions: only the names of the jars would say which one counts. */
final class Artifacts {

    /** {@code NAME-VERSION.jar}; what follows the version tells artifacts of one name apart. */
    private static final Pattern FILE_NAME = Pattern.compile("(?<name>.+?)-(?<version>\\d[^-]*)(?<rest>.*)\\.jar");

    private static final Pattern COORDINATES =
            Pattern.compile("META-INF/maven/(?<group>[^/]+)/(?<name>[^/]+)/pom.properties");
    private static final int LONGEST = 1 << 16;

    /** @param id the same for all versions of an artifact */
    private record Artifact(String id, String version) {}

    private Artifacts() {}

    /** Which jars are versions of one artifact, in a sentence without its end. */
    static Optional<String> inTwoVersions(List<Path> jars) {
        Map<String, Path> seen = new HashMap<>();
        Map<String, String> versions = new HashMap<>();
        for (Path jar : jars) {
            for (Optional<Artifact> artifact : List.of(byName(jar), byContent(jar))) {
                String id = artifact.map(Artifact::id).orElse("");
                String version = artifact.map(Artifact::version).orElse("");
                Path other = seen.putIfAbsent(id, jar);
                String otherVersion = versions.putIfAbsent(id, version);
                if (artifact.isPresent() && other != null && !version.equals(otherVersion)) {
                    return Optional.of(other.getFileName() + " and " + jar.getFileName()
                            + " are two versions of one artifact; remove one of them");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Artifact> byName(Path jar) {
        Matcher name = FILE_NAME.matcher(String.valueOf(jar.getFileName()));
        return name.matches()
                ? Optional.of(new Artifact(name.group("name") + " " + name.group("rest"), name.group("version")))
                : Optional.empty();
    }

    /** What Maven writes into jars; one that has been put together from several says nothing. */
    private static Optional<Artifact> byContent(Path jar) {
        if (!Files.isRegularFile(jar)) {
            return Optional.empty();
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = Collections.list(file.entries()).stream()
                    .filter(entry -> COORDINATES.matcher(entry.getName()).matches())
                    .toList();
            return entries.size() == 1 ? Optional.of(read(file, entries.get(0))) : Optional.empty();
        } catch (IOException | IllegalArgumentException unreadable) {
            // Whoever reads it for its engines says so.
            return Optional.empty();
        }
    }

    private static Artifact read(ZipFile file, ZipEntry entry) throws IOException {
        Properties properties = new Properties();
        try (InputStream content = file.getInputStream(entry)) {
            properties.load(new java.io.ByteArrayInputStream(content.readNBytes(LONGEST)));
        }
        return new Artifact(entry.getName(), properties.getProperty("version", ""));
    }
}
