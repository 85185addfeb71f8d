package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The artifacts that other projects depend on by version, as the build installs them in the local repository. */
class ArtifactsIT {

    private static final Path REPOSITORY = Product.jar().resolveSibling("repository/dev/muster");

    @Test
    void everyArtifactHasAPomThatCentralTakesAndNoneNeedsTheBuild() throws IOException {
        assertThat(REPOSITORY.toFile().list())
                .contains("muster", "muster-spi", "muster-testkit", "muster-testkit-runtime")
                .doesNotContain("muster-parent", "muster-core", "muster-engine-mpi");
        List<Path> poms;
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            poms = files.filter(file -> file.toString().endsWith(".pom")).toList();
        }
        for (Path pom : poms) {
            assertThat(Files.readString(pom))
                    .as(pom.toString())
                    .contains("<name>", "<description>", "<url>https", "<license>", "<developer>", "<scm")
                    .doesNotContain("<parent>", "<build>", "<distributionManagement>", "${revision}");
        }
    }

    @Test
    void theLauncherHasItsDependenciesInTheJar() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("muster"))) {
            Path pom = files.filter(file -> file.toString().endsWith(".pom"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(pom)).doesNotContain("<dependency>");
        }
    }
}
