package dev.muster.e2e;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The platform starts a job again, and nothing of the start before is in the way: a few times here, 50 times in the torture. */
@OnEveryEngine
class StartsIT {

    private static final int TIMES = 50;

    @OncePerPlan
    @DisplayName("13.2 a start goes through a moment after the inner of the one before was killed, or its container")
    void aStartGoesThrough(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "setsid");
        try (StartAgain job = new StartAgain(scene)) {
            // Below all engines have both.
            boolean isEven = EngineUnderTest.ALL.indexOf(scene.engine()) % 2 == 0;
            job.once(isEven ? LauncherKill.OF_INNER : LauncherKill.OF_THE_CONTAINER, new Random());
        }
    }

    @Tag("torture")
    @Test
    @DisplayName(
            "13.2 50 of 50 starts go through, each within a second after the one before was killed at a random moment")
    void fiftyOfFifty(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "setsid");
        long seed = Long.getLong("muster.starts.seed", System.currentTimeMillis() % 1_000_000_000);
        Random random = new Random(seed);
        List<LauncherKill> all = List.of(LauncherKill.values());
        try (StartAgain job = new StartAgain(scene)) {
            for (int start = 0; start < TIMES; start++) {
                LauncherKill kill = all.get(random.nextInt(all.size()));
                try {
                    job.once(kill, random);
                } catch (AssertionError | RuntimeException broken) {
                    throw new AssertionError(
                            "start " + start + " of seed " + seed + ", kill " + kill + ": " + broken.getMessage(),
                            broken);
                }
            }
        }
        System.out.println(
                "starts: " + TIMES + " of " + TIMES + " of " + scene.engine().id() + ", seed " + seed);
    }
}
