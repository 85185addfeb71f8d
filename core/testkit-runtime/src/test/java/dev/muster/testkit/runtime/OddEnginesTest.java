package dev.muster.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.KnownOptions;
import dev.muster.testkit.EngineConformance;
import dev.muster.testkit.MusterOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The kit finds the fault of each wrong engine, names its rule, and accepts correct engines. */
@Tag(EngineConformance.ONE_JDK)
class OddEnginesTest {

    /** This test runs last: it starts other JVMs, which takes long. */
    private static final String LAST = "plansTheSameElsewhere";

    @TempDir
    static Path directory;

    @TestFactory
    Stream<DynamicTest> oddEnginesAreFoundAndRightOnesAreNot() throws IOException {
        List<OddEngine> all = OddEngine.compiled(directory);
        assertThat(all).hasSizeGreaterThan(100);
        return all.stream().map(engine -> DynamicTest.dynamicTest(engine.toString(), () -> check(engine)));
    }

    private static void check(OddEngine engine) throws Exception {
        String finding = finding(engine);
        if (engine.expected().equals("good")) {
            assertThat(finding).as(engine.toString()).isEmpty();
        } else {
            assertThat(finding)
                    .as(engine.toString())
                    .startsWith(engine.expected() + " ")
                    .contains(
                            "seen:",
                            "where: ",
                            "fix:",
                            "docs/engine-spi.md#r" + engine.expected().charAt(1));
        }
    }

    /** The first failure of the kit's tests; empty: they all pass. */
    private static String finding(OddEngine engine) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(engine.loader(directory));
        try {
            new Conformance(directory).endsNoJvm();
            for (Method test : engine.fault().startsWith("ends the JVM") ? List.<Method>of() : tests()) {
                test.invoke(new Conformance(directory));
            }
            return "";
        } catch (AssertionError wrong) {
            return String.valueOf(wrong.getMessage());
        } catch (InvocationTargetException failed) {
            return failed.getCause() instanceof AssertionError error
                    ? String.valueOf(error.getMessage())
                    : "no message: " + failed.getCause();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The check of the byte code comes first, so that code with effects does not run. */
    private static List<Method> tests() {
        return Stream.of(RuntimeConformance.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing((Method test) -> test.getName().equals(LAST))
                        .thenComparing(test -> !test.getName().equals("onlyComputes"))
                        .thenComparing(Method::getName))
                .toList();
    }

    private static final class Conformance extends RuntimeConformance {

        Conformance(Path answers) {
            directory = answers;
        }

        @Override
        protected String engineId() {
            return "odd";
        }
    }

    @Test
    void theKitKnowsTheNamesOfAllOptions() {
        assertThat(KnownOptions.ofMuster().options().stream().map(option -> option.name()))
                .containsExactlyInAnyOrderElementsOf(MusterOptions.NAMES);
    }
}
