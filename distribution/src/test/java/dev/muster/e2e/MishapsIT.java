package dev.muster.e2e;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every {@link Mishap} once on every engine, and on every JDK; {@link TortureIT} has them at random. */
class MishapsIT {

    static Stream<Arguments> mishaps() {
        return EngineUnderTest.ALL.stream()
                .flatMap(engine -> engine.jdks().stream()
                        .flatMap(jdk -> Stream.of(Mishap.values()).map(mishap -> Arguments.of(mishap, engine, jdk))));
    }

    @ParameterizedTest
    @MethodSource("mishaps")
    void endsAsItMust(Mishap mishap, EngineUnderTest engine, Jdk jdk) {
        engine.requireComponents();
        Components.require("python3");
        // What is wrong names the seed.
        Ordeal.run(ThreadLocalRandom.current().nextLong(1_000_000), mishap, engine, jdk);
    }
}
