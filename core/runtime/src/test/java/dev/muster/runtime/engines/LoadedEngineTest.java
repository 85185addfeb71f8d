package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedEngineTest {

    private final LoadedEngine engine = LoadedEngine.of(new Nothing());

    @Test
    void anAnswerIsTheEngines() {
        assertThat(engine.<String>ask(asked -> asked.descriptor().id())).isEqualTo("nothing");
    }

    @Test
    void aRefusalIsTheEngines() {
        assertThatThrownBy(() -> engine.ask(asked -> {
                    throw new PlanException(PlanException.Kind.DATA, "the table is wrong");
                }))
                .isInstanceOf(MusterException.class)
                .hasMessage("the table is wrong")
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.DATA);
    }

    @Test
    void aRefusalHasAnEnd() {
        assertThatThrownBy(() -> engine.ask(asked -> {
                    throw new PlanException(PlanException.Kind.DATA, "no".repeat(2_500_000));
                }))
                .hasMessageStartingWith("nono")
                .hasMessageContaining("... (5000000 characters")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(4200));
    }

    @Test
    void whateverItThrowsElseIsTheEnginesFault() {
        assertThatThrownBy(() -> engine.ask(asked -> {
                    throw new IllegalStateException("oops");
                }))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll("engine nothing", "is broken", "oops", "engine's author");
    }

    @Test
    void aTypeOfTheSpiThatIsGoneIsToldWithBothVersions(@TempDir Path home) throws IOException {
        TestPlugins.declared(
                home,
                "p/mpi.jar",
                MpiForTests.class,
                Map.of("Muster-Engine", "mpi; one mpirun", "Muster-Spi-Version", "0.1"));
        LoadedEngine plugin = new EngineCatalog(
                        ClassLoader.getPlatformClassLoader(), new PluginJars(Optional.of(home)), PluginListener.NOBODY)
                .require("mpi", "--engine");

        assertThatThrownBy(() -> plugin.ask(asked -> {
                    throw new NoSuchMethodError("LaunchPlan.old()");
                }))
                .isInstanceOf(MusterException.class)
                .hasMessage("engine mpi (mpi.jar): NoSuchMethodError: LaunchPlan.old()."
                        + " mpi.jar was built for SPI 0.1, and this Muster has SPI 0.2")
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    private static class Nothing implements Engine {

        @Override
        public EngineDescriptor descriptor() {
            return EngineDescriptor.of("nothing", "for tests");
        }

        @Override
        public List<Input> inputs(JobSpec job, Node node) {
            return List.of();
        }

        @Override
        public LaunchPlan plan(PlanRequest request) {
            return LaunchPlan.builder(Outcome.ALL_TASKS).build();
        }
    }
}
