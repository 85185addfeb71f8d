package dev.muster.runtime.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.plugins.AnswerCheck;
import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.RankInfo;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerCheckTest {

    @Test
    void whatIsWholeIsGivenBack() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS).over(2).build();

        assertThat(AnswerCheck.of(plan)).isSameAs(plan);
        assertThat(AnswerCheck.of(List.of(new RankInfo(0, 0, 1)))).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway")
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> AnswerCheck.of(List.of(Host.of(null, Optional.empty()))))
                .hasMessage("its Host.name is null");
        assertThatThrownBy(() -> AnswerCheck.of(Arrays.asList("a", null))).hasMessage("its answer is null");
        assertThatThrownBy(() -> AnswerCheck.of(Optional.of(Host.of("a", null))))
                .hasMessage("its Host.address is null");
    }

    @Test
    void codeDoesNotComeAlong() throws Exception {
        List<String> lazy = new AbstractList<>() {
            @Override
            public String get(int index) {
                return "x";
            }

            @Override
            public int size() {
                return 1;
            }
        };

        // One loader loads this class and the SPI, so the class passes. A plugin has a loader of its own.
        assertThat(AnswerCheck.of(lazy)).isSameAs(lazy);
        try (var plugin = new java.net.URLClassLoader(
                new java.net.URL[] {
                    AnswerCheckTest.class.getProtectionDomain().getCodeSource().getLocation()
                },
                new SpiOnlyForTests())) {
            Object strange = plugin.loadClass(MpiForTests.class.getName())
                    .getConstructor()
                    .newInstance();
            assertThatThrownBy(() -> AnswerCheck.of(List.of(strange)))
                    .hasMessage("its answer is of the class " + MpiForTests.class.getName()
                            + ", which is none of the JDK or the SPI");
        }
    }

    private static final class SpiOnlyForTests extends ClassLoader {

        SpiOnlyForTests() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("dev.muster.spi.")) {
                return Class.forName(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
