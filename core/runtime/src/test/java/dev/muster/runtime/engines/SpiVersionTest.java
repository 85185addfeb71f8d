package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that were built for another SPI: one line each, wherever it comes to light. */
class SpiVersionTest {

    @TempDir
    private Path home;

    private OldPlugin plugin;

    @BeforeEach
    void wordsThatAreStillThere() {
        plugin = new OldPlugin(home)
                .spi("Engine", "interface Engine { EngineDescriptor descriptor(); LaunchPlan plan(PlanRequest r); }")
                .spi("PlanRequest", "class PlanRequest {}")
                .spi("EngineDescriptor", """
                        class EngineDescriptor {
                            public static EngineDescriptor of(String id, String summary) { return null; }
                        }""");
    }

    @Test
    void aPluginSaysForWhichSpiItWasBuilt() throws IOException {
        plugin.spi("LaunchPlan", "class LaunchPlan {}")
                .code("NewEngine", engine("return null;").replace("OldEngine", "NewEngine"))
                .says("Muster-Spi-Version", "0.3")
                .engineJar("new-engine.jar", "NewEngine");

        assertThat(catalog().survey().problems())
                .singleElement()
                .asString()
                .contains("new-engine.jar was built for SPI 0.3, and this Muster has SPI 0.2");
    }

    @Test
    void aPluginWhoseWordsAreAllThereIsLoadedWhateverItWasBuiltFor() throws IOException {
        plugin.spi("LaunchPlan", "class LaunchPlan {}")
                .code("OldEngine", engine("return null;"))
                .engineJar("old-engine.jar", "OldEngine");

        assertThat(catalog().survey().problems()).isEmpty();
        assertThat(catalog().require("old", "--engine").jar()).isEqualTo("old-engine.jar");
    }

    @Test
    void aWordThatIsGoneIsToldWhenItIsUsed() throws IOException {
        plugin.spi("LaunchPlan", "class LaunchPlan { public static LaunchPlan old() { return null; } }")
                .code("Parts", "class Parts { public static LaunchPlan plan() { return LaunchPlan.old(); } }")
                .code("OldEngine", engine("return Parts.plan();"));
        plugin.jar("parts.jar", "Parts");
        plugin.engineJar("old-engine.jar", "OldEngine");

        assertThatThrownBy(this::plan)
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith(
                        "engine old: old-engine.jar was built for SPI 0.1, and this Muster has SPI 0.2: "
                                + "java.lang.NoSuchMethodError: ")
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    private static String engine(String plan) {
        return "class OldEngine implements Engine {"
                + " public EngineDescriptor descriptor() { return EngineDescriptor.of(\"old\", \"old\"); }"
                + " public LaunchPlan plan(PlanRequest request) { " + plan + " } }";
    }

    /** No engine here looks at what it is asked. */
    @SuppressWarnings("NullAway")
    private void plan() {
        catalog().require("old", "--engine").ask(engine -> Optional.ofNullable(engine.plan(null)));
    }

    private EngineCatalog catalog() {
        return new EngineCatalog(ClassLoader.getPlatformClassLoader(), Optional.of(home), PluginWatch.NOBODY);
    }
}
