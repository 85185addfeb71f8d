package dev.muster.e2e;

/**
 * How often tests of chance are repeated: few times in every build, a hundred times with {@code ./verify --torture}. Such tests have
 * the tag {@code repeated}.
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
}
