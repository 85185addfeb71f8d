package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What all platforms tell at the place of this launcher, for {@code muster platforms}. */
public final class PlatformSurvey {

    private static final List<Option> OF_PLATFORMS = List.of(
            OptionTable.JOB_ID,
            OptionTable.NODES,
            OptionTable.NODE_INDEX,
            OptionTable.CARDS,
            OptionTable.WORKDIR,
            OptionTable.LOG_DIR);

    private PlatformSurvey() {}

    /**
     * One platform.
     *
     * @param title what people call it
     * @param sign by which it is recognised; empty: it is not here
     * @param isTaken whether a launch would choose it: it is the first that is here
     * @param says what it tells, by topic; empty: it is not here
     */
    public record Finding(
            String name, String title, Optional<String> sign, boolean isTaken, Map<String, String> says) {}

    /** All platforms, in the order in which they are asked. */
    public static List<Finding> of(ProcessInfo processInfo, PlatformCatalog platforms) {
        Evidence evidence =
                LocalEvidence.here(processInfo.environment(), Optional.empty(), false, Optional.empty(), command -> "");
        List<Finding> findings = new ArrayList<>();
        boolean isTaken = false;
        for (Platform known : platforms.platforms()) {
            Finding finding = finding(known, evidence, isTaken);
            findings.add(finding);
            isTaken |= finding.isTaken();
        }
        return findings;
    }

    /** Wrong variables become part of the finding, so that the other platforms are still shown. */
    private static Finding finding(Platform platform, Evidence evidence, boolean isTaken) {
        Map<String, String> says = new LinkedHashMap<>();
        Optional<String> sign = Optional.empty();
        try {
            sign = platform.sign(evidence);
            if (sign.isPresent()) {
                add(says, platform.read(evidence));
            }
        } catch (PlanException | MusterException wrong) {
            says.put("job", "refused: " + wrong.getMessage());
        }
        return new Finding(platform.name(), platform.title(), sign, sign.isPresent() && !isTaken, says);
    }

    private static void add(Map<String, String> says, PlatformInfo info) {
        new TreeMap<>(info.refusals())
                .forEach((what, words) -> says.put(what.isEmpty() ? "job" : what, "refused: " + words));
        for (Option option : OF_PLATFORMS) {
            Optional.ofNullable(info.options().get(option.name()))
                    .ifPresent(value -> says.put(option.name(), text(value)));
        }
        ResolvedJob.startCounts(info.starts()).ifPresent(counts -> says.put("starts", counts));
        info.nodeName().ifPresent(name -> says.put(PlatformReader.NODE_NAME, text(name)));
        info.address().ifPresent(address -> says.put(PlatformReader.NODE_ADDRESS, text(address)));
        info.role().ifPresent(role -> says.put(PlatformReader.ROLE, role));
        if (!info.hosts().isEmpty()) {
            says.put(PlatformReader.HOSTS, info.hosts().stream().map(Host::name).collect(Collectors.joining(",")));
        }
    }

    private static String text(OptionValue value) {
        return value.value() + " (" + value.origin() + ")";
    }
}
