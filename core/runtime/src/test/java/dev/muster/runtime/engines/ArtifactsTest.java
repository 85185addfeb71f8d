package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactsTest {

    @TempDir
    private Path directory;

    @Test
    void twoVersionsAreSeenByTheirNames() {
        assertThat(Artifacts.inTwoVersions(paths("a-1.0.jar", "b-1.0.jar", "a-1.0.1.jar")))
                .contains("a-1.0.jar and a-1.0.1.jar are two versions of one artifact; remove one of them");
    }

    @Test
    void artifactsOfOneNameAreToldApartByWhatFollowsTheVersion() {
        assertThat(Artifacts.inTwoVersions(paths(
                        "log4j-1.2-api.jar", "log4j.jar", "epoll-4.1-linux.jar", "epoll-4.1.jar", "log4j-2.0.jar")))
                .isEmpty();
    }

    @Test
    void twoVersionsAreSeenByWhatMavenWroteIntoThem() throws IOException {
        assertThat(Artifacts.inTwoVersions(List.of(jar("one.jar", "g", "1.0"), jar("two.jar", "g", "2.0"))))
                .contains("one.jar and two.jar are two versions of one artifact; remove one of them");
        assertThat(Artifacts.inTwoVersions(List.of(jar("one.jar", "g", "1.0"), jar("two.jar", "h", "2.0"))))
                .isEmpty();
    }

    private List<Path> paths(String... names) {
        return List.of(names).stream().map(directory::resolve).toList();
    }

    private Path jar(String name, String group, String version) throws IOException {
        Path jar = directory.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file)) {
            entries.putNextEntry(new JarEntry("META-INF/maven/" + group + "/artifact/pom.properties"));
            entries.write(("version=" + version + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
