package dev.muster.e2e;

import static dev.muster.e2e.EngineUnderTest.MPI;
import static dev.muster.e2e.EngineUnderTest.TENSORFLOW_PS;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@link Fault} on every JDK: the first two engines, which use the same words in their plans, share the faults and have all
 * JDKs but the newest, on which the others share them. {@link TortureIT} has all at random.
 */
class FaultInjectionIT {

    static Stream<Arguments> faults() {
        List<Fault> all = List.of(Fault.values());
        return IntStream.range(0, all.size())
                .boxed()
                .flatMap(number -> EngineUnderTest.ALL.stream()
                        .filter(engine -> engine.hasTurn(number))
                        // Of two ranks that fail the launcher sees one under mpirun.
                        .filter(engine -> engine != (number % 2 == 0 ? TENSORFLOW_PS : MPI))
                        .flatMap(engine ->
                                jdks(engine).stream().map(jdk -> Arguments.of(all.get(number), engine, jdk))));
    }

    private static List<Jdk> jdks(EngineUnderTest engine) {
        return engine == EngineUnderTest.PYTORCH_GPU ? EngineUnderTest.ASCEND.jdks() : engine.jdks();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void endsAsItMust(Fault fault, EngineUnderTest engine, Jdk jdk) {
        engine.requireComponents();
        Components.require("python3");
        // What is wrong names the seed.
        FaultInjection.run(ThreadLocalRandom.current().nextLong(1_000_000), fault, engine, jdk);
    }
}
