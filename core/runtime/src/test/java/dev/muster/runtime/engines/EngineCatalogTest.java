package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plugins.BrokenPlugin;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineCatalogTest {

    @TempDir
    private Path home;

    @Test
    void enginesOfPluginsAreFoundWithVersionAndJar() throws IOException {
        TestPlugins.jar(home, "second/mpi engine.jar", MpiForTests.class);
        TestPlugins.jar(home, "first/ascend.jar", AscendForTests.class);

        EngineCatalog catalog = catalog();

        assertThat(catalog.survey().engines())
                .extracting(DeclaredEngine::id, DeclaredEngine::jar, DeclaredEngine::version)
                .containsExactly(
                        tuple("ascend", "ascend.jar", Optional.of("1.2.3")),
                        tuple("mpi", "mpi engine.jar", Optional.of("1.2.3")));
        assertThat(catalog.survey().problems()).isEmpty();
        assertThat(catalog.require("mpi", "--engine")
                        .<String>ask(engine -> engine.getClass().getName()))
                .isEqualTo(MpiForTests.class.getName());
    }

    @Test
    void everyPluginIsLoadedByItselfAndSeesOnlyTheSpi() throws IOException {
        TestPlugins.jar(home, "a/a.jar", AscendForTests.class);
        TestPlugins.jar(home, "b/b.jar", MpiForTests.class);
        EngineCatalog catalog = catalog();

        ClassLoader loader = catalog.require("ascend", "--engine")
                .ask(engine -> engine.getClass().getClassLoader());

        assertThat(loader).isNotSameAs(getClass().getClassLoader());
        assertThatThrownBy(() -> loader.loadClass(MpiForTests.class.getName()))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> loader.loadClass(EngineCatalog.class.getName()))
                .isInstanceOf(ClassNotFoundException.class);
        assertThat(loadedBy(loader, Engine.class.getName())).isSameAs(Engine.class);
        assertThat(loadedBy(loader, "java.util.List")).isSameAs(List.class);
    }

    @Test
    void aBrokenJarHidesNoOther() throws IOException {
        TestPlugins.jar(home, "a/ascend.jar", AscendForTests.class);
        TestPlugins.declared(home, "b-silent/silent.jar", MpiForTests.class, Map.of());
        Files.createDirectories(home.resolve("plugins/e-empty"));
        Files.createDirectories(home.resolve("plugins/f-garbage"));
        Files.writeString(home.resolve("plugins/f-garbage/garbage.jar"), "this is no jar");
        Files.createSymbolicLink(
                Files.createDirectories(home.resolve("plugins/h-dangling")).resolve("dangling.jar"),
                Path.of("/e2e/gone"));
        TestPlugins.jar(home, "z-good/good.jar", MpiForTests.class);

        EngineSurvey survey = catalog().survey();

        assertThat(survey.engines()).extracting(DeclaredEngine::id).containsExactly("ascend", "mpi");
        assertThat(survey.problems())
                .extracting(BrokenPlugin::toString)
                .satisfiesExactly(
                        silent ->
                                assertThat(silent).startsWith("plugins/b-silent: no jar in it declares what it brings"),
                        empty -> assertThat(empty).isEqualTo("plugins/e-empty: there is no jar in this directory"),
                        garbage -> assertThat(garbage).startsWith("plugins/f-garbage: garbage.jar cannot be read: "),
                        dangling -> assertThat(dangling)
                                .startsWith("plugins/h-dangling: ")
                                .endsWith(" cannot be read: no such file or directory"));
        assertThat(survey.problems()).noneMatch(BrokenPlugin::isRefused);
    }

    @Test
    void whatCannotBeLoadedIsToldWhenItIsChosen() throws IOException {
        TestPlugins.jarWithoutClass(home, "a/missing.jar", "org.example.Missing");
        TestPlugins.jar(home, "c/exploding.jar", ExplodingForTests.class);
        TestPlugins.jar(home, "d/greedy.jar", GreedyForTests.class);

        assertThatThrownBy(() -> catalog().require("missing", "--engine"))
                .hasMessageContainingAll("missing.jar", "org.example.Missing")
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.UNAVAILABLE);
        assertThatThrownBy(() -> catalog().require("exploding", "--engine"))
                .hasMessageContaining("IllegalStateException: no accelerator")
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.INTERNAL);
        assertThatThrownBy(() -> catalog().require("greedy", "--engine"))
                .hasMessageContaining("two options called grace");
    }

    @Test
    void anUnknownEngineIsRefusedWithTheNearestTheKnownAndTheBroken() throws IOException {
        TestPlugins.jar(home, "a/ascend.jar", AscendForTests.class);
        TestPlugins.jar(home, "b/mpi.jar", MpiForTests.class);
        Files.createDirectories(home.resolve("plugins/c"));

        assertThatThrownBy(() -> catalog().require("asend", "MUSTER_ENGINE"))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith("engine \"asend\" (MUSTER_ENGINE) is not known (did you mean ascend?);"
                        + " known: ascend (ascend.jar), mpi (mpi.jar); could not be loaded: plugins/c: ")
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void whatManifestsSayIsEnoughToListAndToChoose() throws IOException {
        TestPlugins.declared(home, "a/mpi.jar", MpiForTests.class, Map.of("Muster-Engine", "mpi; one mpirun"));
        TestPlugins.declared(
                home,
                "b/exploding.jar",
                ExplodingForTests.class,
                Map.of("Muster-Engine", "boom ;  all at once ", "Muster-Options", "fuse, delay"));
        EngineCatalog catalog = catalog();

        assertThat(catalog.survey().engines())
                .extracting(DeclaredEngine::id, engine -> engine.descriptor().summary(), DeclaredEngine::place)
                .containsExactly(
                        tuple("boom", "all at once", "plugins/b/exploding.jar"),
                        tuple("mpi", "one mpirun", "plugins/a/mpi.jar"));
        assertThat(catalog.survey().problems()).isEmpty();
        assertThat(catalog.optionNames()).containsExactly("delay", "fuse");
        assertThat(catalog.require("mpi", "--engine").descriptor().summary()).isEqualTo("one mpirun");
    }

    @Test
    void withoutPluginsThereIsNothingBroken() {
        assertThat(new EngineCatalog(new PluginJars(Optional.empty()), PluginListener.NOBODY)
                        .survey()
                        .problems())
                .isEmpty();
        assertThat(catalog().survey().engines()).isEmpty();
        assertThat(catalog().survey().problems()).isEmpty();
    }

    private EngineCatalog catalog() {
        return new EngineCatalog(
                ClassLoader.getPlatformClassLoader(), new PluginJars(Optional.of(home)), PluginListener.NOBODY);
    }

    private static Class<?> loadedBy(ClassLoader loader, String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException missing) {
            throw new AssertionError(missing);
        }
    }
}
