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
            Platform platform = named(named.get()).reader().apply(evidence);
            return new Found(
                    platform,
                    new DetectedPlatform(platform.contract(), named.get().origin(), List.of()));
        }
        return recognised(evidence);
    }

    private Found recognised(Evidence evidence) {
        Optional<Found> found = Optional.empty();
        List<String> others = new ArrayList<>();
        for (KnownPlatform one : known) {
            Platform platform = one.reader().apply(evidence);
            Optional<String> sign = platform.sign();
            if (sign.isPresent() && found.isEmpty()) {
                found = Optional.of(
                        new Found(platform, new DetectedPlatform(platform.contract(), sign.get(), List.of())));
            } else if (sign.isPresent() && !one.name().equals(PlatformContract.NONE.name())) {
                others.add(one.name() + " (" + sign.get() + ")");
            }
        }
        Found first = found.orElseThrow();
        return new Found(
                first.platform(),
                new DetectedPlatform(
                        first.platform().contract(), first.detected().why(), others));
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

    /** A platform, and what others may know of how it was found. */
    record Found(Platform platform, DetectedPlatform detected) {}
}
