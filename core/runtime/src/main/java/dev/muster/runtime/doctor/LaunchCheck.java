package dev.muster.runtime.doctor;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.platform.ResolvedJob;
import java.util.stream.Stream;

/** The platform, and the warnings and refusals of a launch: to plan the job is the best check. */
final class LaunchCheck {

    private LaunchCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        Stream<Finding> platform = Stream.of(node.launch().resolved())
                .filter(resolved -> resolved.refusal().isEmpty())
                .map(LaunchCheck::platform);
        Stream<Finding> plan = node.launch().plan().stream()
                .map(made -> Finding.of("plan", made.processes().size()));
        Stream<Finding> warnings =
                node.launch().warnings().stream().map(warning -> Finding.of("launch.warning", warning));
        // An input that is missing now may still come.
        Stream<Finding> refusals = node.launch().refusals().stream()
                .map(refused -> Finding.of(
                        refused.exitCode() == ExitCode.TEMPORARY ? "launch.waits" : "launch.refused",
                        String.valueOf(refused.getMessage())));
        return Stream.of(platform, plan, warnings, refusals).flatMap(all -> all);
    }

    private static Finding platform(ResolvedJob resolved) {
        String position = resolved.node().knowsItsIndex()
                ? ", node " + resolved.node().index().getAsInt() + " of "
                        + resolved.node().count().getAsInt()
                : "";
        return Finding.of(
                "platform", resolved.platform().name(), resolved.platform().explanation(), position);
    }
}
