package dev.muster.e2e;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every {@link Fault}: kinds of plan take turns. {@link TortureIT} has random ones. */
class FaultInjectionIT {

    static Stream<Arguments> faults() {
        List<Fault> all = List.of(Fault.values());
        return IntStream.range(0, all.size()).mapToObj(number -> {
            EngineUnderTest engine = EngineUnderTest.ALL.get(number % EngineUnderTest.ALL.size());
            return Arguments.of(all.get(number), engine, engine.jdks().get(0));
        });
    }

    @ParameterizedTest
    @MethodSource("faults")
    void endsAsItMust(Fault fault, EngineUnderTest engine, Jdk jdk) {
        engine.requireComponents();
        Components.require("python3");
        // A failure names the seed.
        FaultInjection.run(ThreadLocalRandom.current().nextLong(1_000_000), fault, engine, jdk);
    }
}
