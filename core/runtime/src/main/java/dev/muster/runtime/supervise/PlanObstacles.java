package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RequiredDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a launch of a plan would be refused for on this machine, in the launch's own words. Only looks. */
public final class PlanObstacles {

    private PlanObstacles() {}

    /** Limits without room for its processes, working directories that nobody makes, ports that others have. */
    public static List<String> of(LaunchPlan plan) {
        Set<String> made =
                plan.directories().stream().map(RequiredDirectory::path).collect(Collectors.toSet());
        List<String> obstacles = new ArrayList<>();
        attempt(() -> PlanRun.requireRoom(plan), obstacles);
        plan.processes().stream()
                .filter(process -> !made.contains(process.launch().workDirectory()))
                .forEach(process -> attempt(() -> Preparation.requireWorkDirectory(process), obstacles));
        plan.ports().forEach(port -> PortClaims.obstacle(port).ifPresent(obstacles::add));
        return obstacles;
    }

    private static void attempt(Runnable check, List<String> obstacles) {
        try {
            check.run();
        } catch (MusterException refused) {
            obstacles.add(String.valueOf(refused.getMessage()));
        }
    }
}
