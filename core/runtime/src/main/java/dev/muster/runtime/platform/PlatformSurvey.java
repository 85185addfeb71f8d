package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What all platforms say of the place where the launcher was called, for {@code muster platforms}. */
public final class PlatformSurvey {

    private PlatformSurvey() {}

    /**
     * One platform.
     *
     * @param title what people call it
     * @param sign by what it is recognised here; empty: it is not here
     * @param isTaken whether a launch would take it: the first that is here
     * @param says what it tells, by what it is about; of one that is not here nothing
     */
    public record Finding(
            String name, String title, Optional<String> sign, boolean isTaken, Map<String, String> says) {}

    /** All platforms, in the order in which they are asked. */
    public static List<Finding> of(World world) {
        Path root = Path.of("/");
        Evidence evidence = new Evidence(
                world,
                new MachineFacts(root, world.environment()).read(),
                new MachineFiles(root),
                Optional.empty(),
                Command.PLATFORMS);
        return of(evidence, Platforms.ALL);
    }

    static List<Finding> of(Evidence evidence, List<KnownPlatform> platforms) {
        List<Finding> findings = new ArrayList<>();
        boolean isTaken = false;
        for (KnownPlatform known : platforms) {
            Platform platform = known.reader().apply(evidence);
            Optional<String> sign = platform.sign();
            findings.add(new Finding(
                    known.name(),
                    known.title(),
                    sign,
                    sign.isPresent() && !isTaken,
                    sign.isPresent() ? says(evidence, platform) : Map.of()));
            isTaken |= sign.isPresent();
        }
        return findings;
    }

    private static Map<String, String> says(Evidence evidence, Platform platform) {
        Map<String, String> says = new LinkedHashMap<>();
        add(says, "job", () -> platform.jobId().map(PlatformSurvey::text));
        add(says, "starts", () -> StartCounts.text(StartCounts.read(evidence, platform.startCounts(), wrong -> {})));
        add(says, "nodes", () -> platform.nodes().map(PlatformSurvey::text));
        add(says, "node index", () -> platform.nodeIndex().map(PlatformSurvey::text));
        add(says, "node name", () -> platform.nodeName().map(PlatformSurvey::text));
        add(says, "node address", () -> platform.nodeAddress().map(PlatformSurvey::text));
        add(says, "role", platform::role);
        add(says, "cards", () -> platform.cards().map(PlatformSurvey::text));
        add(says, "hosts", () -> hosts(platform));
        add(says, "logs", () -> platform.places().map(places -> text(places.log())));
        add(says, "refuses", platform::refusal);
        add(says, "note", platform::remark);
        return says;
    }

    /** A platform whose variables are wrong says so, and the others are shown all the same. */
    private static void add(Map<String, String> says, String about, Supplier<Optional<String>> question) {
        try {
            question.get().ifPresent(answer -> says.put(about, answer));
        } catch (MusterException wrong) {
            says.put(about, "refused: " + wrong.getMessage());
        }
    }

    private static Optional<String> hosts(Platform platform) {
        List<String> names = platform.hosts().stream().map(Host::name).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(String.join(",", names));
    }

    private static String text(Setting setting) {
        return setting.value() + " (" + setting.origin() + ")";
    }

    private static String text(OptionValue value) {
        return value.value() + " (" + value.origin() + ")";
    }
}
