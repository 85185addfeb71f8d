package dev.muster.e2e;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How often tests that depend on chance are repeated: few times in every build, a hundred times with {@code ./verify --torture}. Such
 * tests have the tag {@code repeated}.
 */
final class Repetitions {

    private static final int GIVEN = Integer.getInteger("muster.repeat", 0);

    private static final int FULL = 100;

    private Repetitions() {}

    static int orElse(int usual) {
        return GIVEN > 0 ? GIVEN : usual;
    }

    /** Whether everything is to be tried, not only a selection. */
    static boolean isFull() {
        return GIVEN >= FULL;
    }

    /** Whether {@code one} of several, such as a JDK, has case {@code number}: they take turns, or each has all cases. */
    static <S> boolean hasPart(S one, List<S> sharing, int number) {
        return isFull() || Math.floorMod(number, sharing.size()) == sharing.indexOf(one);
    }

    /** The cases that {@code one} has. */
    static <S, T> List<T> cases(S one, List<S> sharing, List<T> cases) {
        return IntStream.range(0, cases.size())
                .filter(number -> hasPart(one, sharing, number))
                .mapToObj(cases::get)
                .toList();
    }
}
