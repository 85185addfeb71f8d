package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.text.Nearest;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks the platforms in order whether we are on them; the last one always is. */
final class PlatformDetector {

    static final String AUTOMATIC = "auto";

    private final List<KnownPlatform> known;

    /** @param known all platforms but in tests; the last one is always there */
    PlatformDetector(List<KnownPlatform> known) {
        this.known = known;
    }

    /** The platform that an option names, else the first that recognises where we are. */
    Found find(Evidence evidence, Settings settings) {
        Optional<Setting> named = settings.find(OptionTable.PLATFORM)
                .filter(setting -> !setting.value().equals(AUTOMATIC));
        if (named.isPresent()) {
            PlatformFacts facts = named(named.get()).reader().apply(evidence);
            return found(facts, named.get().origin(), List.of());
        }
        return recognised(evidence);
    }

    private Found recognised(Evidence evidence) {
        Optional<PlatformFacts> first = Optional.empty();
        List<String> others = new ArrayList<>();
        for (KnownPlatform one : known) {
            PlatformFacts facts = one.reader().apply(evidence);
            if (first.isEmpty()) {
                first = Optional.of(facts).filter(found -> found.sign().isPresent());
            } else if (facts.sign().isPresent() && !one.name().equals(PlatformContract.NONE.name())) {
                others.add(one.name() + " (" + facts.sign().get() + ")");
            }
        }
        return found(first.orElseThrow(), first.orElseThrow().sign().orElseThrow(), others);
    }

    private static Found found(PlatformFacts facts, String why, List<String> others) {
        return new Found(facts, new DetectedPlatform(facts.contract().get().orElseThrow(), why, others));
    }

    private KnownPlatform named(Setting setting) {
        List<String> names = new ArrayList<>(List.of(AUTOMATIC));
        for (KnownPlatform one : known) {
            if (one.name().equals(setting.value())) {
                return one;
            }
            names.add(one.name());
        }
        throw Settings.refusal(
                setting, "is not one of " + String.join(", ", names) + Nearest.suggestion(setting.value(), names));
    }

    /** What a platform says, and how it was found. */
    record Found(PlatformFacts facts, DetectedPlatform detected) {}
}
