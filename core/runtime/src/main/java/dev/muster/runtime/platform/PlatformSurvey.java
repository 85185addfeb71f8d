package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.World;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
            PlatformFacts facts = known.reader().apply(evidence);
            Optional<String> sign = facts.sign();
            findings.add(new Finding(
                    known.name(),
                    known.title(),
                    sign,
                    sign.isPresent() && !isTaken,
                    sign.isPresent() ? says(evidence, facts) : Map.of()));
            isTaken |= sign.isPresent();
        }
        return findings;
    }

    private static Map<String, String> says(Evidence evidence, PlatformFacts facts) {
        Map<String, String> says = new LinkedHashMap<>();
        add(says, "job", facts.answer(OptionTable.JOB_ID), PlatformSurvey::text);
        StartCounts.text(StartCounts.read(evidence, facts.startCounts(), wrong -> {}))
                .ifPresent(counts -> says.put("starts", counts));
        add(says, "nodes", facts.answer(OptionTable.NODES), PlatformSurvey::text);
        add(says, "node index", facts.answer(OptionTable.NODE_INDEX), PlatformSurvey::text);
        add(says, "node name", facts.nodeName(), PlatformSurvey::text);
        add(says, "node address", facts.answer(OptionTable.NODE_ADDRESS), PlatformSurvey::text);
        add(says, "role", facts.role(), role -> role);
        add(says, "cards", facts.answer(OptionTable.CARDS), PlatformSurvey::text);
        add(says, "hosts", facts.hosts(), PlatformSurvey::names);
        add(says, "logs", facts.places(), places -> text(places.log()));
        add(says, "refuses", facts.refusal(), refusal -> refusal);
        facts.remark().ifPresent(remark -> says.put("note", remark));
        return says;
    }

    /** A platform whose variables are wrong says so, and the others are shown all the same. */
    private static <T> void add(Map<String, String> says, String about, Answer<T> answer, Function<T, String> text) {
        answer.value().map(text).filter(words -> !words.isEmpty()).ifPresent(words -> says.put(about, words));
        answer.problem().ifPresent(problem -> says.put(about, "refused: " + problem));
    }

    private static String names(List<Host> hosts) {
        return hosts.stream().map(Host::name).collect(Collectors.joining(","));
    }

    private static String text(OptionValue value) {
        return value.value() + " (" + value.origin() + ")";
    }
}
