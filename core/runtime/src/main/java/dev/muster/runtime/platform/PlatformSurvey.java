package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
        Evidence evidence = new LocalEvidence(
                world.environment(),
                new MachineFacts(root, world.environment()).read(),
                new MachineFiles(root),
                Optional.empty(),
                false,
                Optional.empty(),
                command -> "");
        List<Finding> findings = new ArrayList<>();
        boolean isTaken = false;
        for (Platform known : Platforms.ALL) {
            Optional<String> sign = known.sign(evidence);
            findings.add(new Finding(
                    known.name(),
                    known.title(),
                    sign,
                    sign.isPresent() && !isTaken,
                    sign.isPresent() ? says(known, evidence) : Map.of()));
            isTaken |= sign.isPresent();
        }
        return findings;
    }

    /** A platform whose variables are wrong says so, and the others are shown all the same. */
    private static Map<String, String> says(Platform platform, Evidence evidence) {
        Map<String, String> says = new LinkedHashMap<>();
        try {
            add(says, platform.read(evidence));
        } catch (PlanException | MusterException wrong) {
            says.put("refuses", String.valueOf(wrong.getMessage()));
        }
        return says;
    }

    private static void add(Map<String, String> says, PlatformInfo info) {
        add(says, info, "job", OptionTable.JOB_ID.name(), text(info, OptionTable.JOB_ID.name()));
        add(says, info, "starts", "starts", Site.startCounts(info.starts()));
        add(says, info, "nodes", OptionTable.NODES.name(), text(info, OptionTable.NODES.name()));
        add(says, info, "node index", OptionTable.NODE_INDEX.name(), text(info, OptionTable.NODE_INDEX.name()));
        add(says, info, "node name", PlatformReader.NODE_NAME, info.nodeName().map(PlatformSurvey::text));
        add(says, info, "node address", PlatformReader.NODE_ADDRESS, info.address().map(PlatformSurvey::text));
        add(says, info, "role", PlatformReader.ROLE, info.role());
        add(says, info, "cards", OptionTable.CARDS.name(), text(info, OptionTable.CARDS.name()));
        add(says, info, "hosts", PlatformReader.HOSTS, Optional.of(names(info.hosts())));
        add(says, info, "logs", OptionTable.LOG_DIR.name(), text(info, OptionTable.LOG_DIR.name()));
        Optional.ofNullable(info.refusals().get(PlatformInfo.ALL)).ifPresent(words -> says.put("refuses", words));
    }

    private static void add(
            Map<String, String> says, PlatformInfo info, String about, String name, Optional<String> told) {
        Optional<String> refused = Optional.ofNullable(info.refusals().get(name)).map(words -> "refused: " + words);
        told.filter(words -> !words.isEmpty()).or(() -> refused).ifPresent(words -> says.put(about, words));
    }

    private static String names(List<Host> hosts) {
        return hosts.stream().map(Host::name).collect(Collectors.joining(","));
    }

    private static Optional<String> text(PlatformInfo info, String option) {
        return Optional.ofNullable(info.options().get(option)).map(PlatformSurvey::text);
    }

    private static String text(OptionValue value) {
        return value.value() + " (" + value.origin() + ")";
    }
}
