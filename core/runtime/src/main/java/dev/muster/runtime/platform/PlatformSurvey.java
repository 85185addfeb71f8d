package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
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
            PlatformReader reader = known.reader().apply(evidence);
            Optional<String> sign = reader.sign();
            findings.add(new Finding(
                    known.name(),
                    known.title(),
                    sign,
                    sign.isPresent() && !isTaken,
                    sign.isPresent() ? says(evidence, reader) : Map.of()));
            isTaken |= sign.isPresent();
        }
        return findings;
    }

    private static Map<String, String> says(Evidence evidence, PlatformReader reader) {
        Map<String, String> says = new LinkedHashMap<>();
        add(says, "job", () -> text(reader.jobId()));
        add(says, "starts", () -> StartCounts.text(StartCounts.read(evidence, reader.startCounts(), wrong -> {})));
        add(says, "nodes", () -> text(reader.nodes()));
        add(says, "node index", () -> text(reader.index()));
        add(says, "node name", () -> text(reader.nodeName()));
        add(says, "node address", () -> text(reader.address()));
        add(says, "role", reader::role);
        add(says, "cards", () -> text(reader.cards()));
        add(says, "hosts", () -> Optional.of(names(reader.hosts())));
        add(says, "logs", () -> text(reader.places().map(ContractPlaces::log)));
        add(says, "refuses", reader::refusal);
        add(says, "note", reader::remark);
        return says;
    }

    /** A platform whose variables are wrong says so, and the others are shown all the same. */
    private static void add(Map<String, String> says, String about, Supplier<Optional<String>> answer) {
        try {
            answer.get().filter(words -> !words.isEmpty()).ifPresent(words -> says.put(about, words));
        } catch (MusterException wrong) {
            says.put(about, "refused: " + wrong.getMessage());
        }
    }

    private static String names(List<Host> hosts) {
        return hosts.stream().map(Host::name).collect(Collectors.joining(","));
    }

    private static Optional<String> text(Optional<OptionValue> value) {
        return value.map(said -> said.value() + " (" + said.origin() + ")");
    }
}
