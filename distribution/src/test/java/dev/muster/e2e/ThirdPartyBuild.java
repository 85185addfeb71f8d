package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The build of an example by a third party. It uses the artifacts of Muster that our build puts into a repository. */
final class ThirdPartyBuild {

    private static final Path REPOSITORY = Product.jar().resolveSibling("repository");

    /** Maven starts three JVMs. The machine may be busy. */
    private static final Duration LIMIT = Duration.ofMinutes(9);

    /** Flags for a JVM that runs for seconds only. */
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private ThirdPartyBuild() {}

    /**
     * Builds an example, tests included, and unpacks its zip into a directory of plugins.
     *
     * @return what Maven printed
     */
    static String into(Path plugins, Scene scene, String example) throws IOException {
        Files.createDirectories(plugins);
        Path project = scene.beside(example);
        scene.command(
                        "cp",
                        "-r",
                        Product.project().resolve("examples/" + example).toString(),
                        project.toString())
                .run()
                .endedWith(0);
        scene.command("rm", "-rf", project.resolve("target").toString()).run().endedWith(0);
        Result build = scene.command("mvn", "-o", "-B", "-ntp", "-f", project.toString(), "verify")
                .with("-Daether.offline.protocols=file", "-Dmaven.repo.local=" + localRepository(scene))
                .with("-Dmuster.repository=" + REPOSITORY)
                .with("-DargLine=" + SHORT_LIVED)
                .set("MAVEN_OPTS", SHORT_LIVED)
                .set("JAVA_HOME", System.getProperty("java.home"))
                .after("exec 2>&1")
                .start()
                .await(LIMIT)
                .endedWith(0);
        scene.command("sh", "-c", "cd \"$0\" && exec \"$1\" xf \"$2\"/target/*-plugin.zip", plugins.toString())
                .with(Path.of(System.getProperty("java.home"), "bin/jar").toString(), project.toString())
                .run()
                .endedWith(0);
        return build.output();
    }

    /** The local repository of this build, without network, and without Muster's artifacts: another build may change those now. */
    private static Path localRepository(Scene scene) throws IOException {
        Path ours = Path.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"));
        Path theirs = Files.createDirectories(scene.beside("local-repository"));
        List<Path> groups;
        try (Stream<Path> entries = Files.list(ours)) {
            groups = entries.filter(Files::isDirectory).toList();
        }
        assertThat(groups).isNotEmpty();
        for (Path group : groups) {
            if (!group.endsWith("dev")) {
                Files.createSymbolicLink(theirs.resolve(group.getFileName()), group);
            }
        }
        return theirs;
    }
}
