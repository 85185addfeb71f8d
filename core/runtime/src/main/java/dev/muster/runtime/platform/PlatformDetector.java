package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.text.Nearest;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the platforms in order whether we are on them; the last one always is.
 *
 * @param known all platforms but in tests
 */
record PlatformDetector(List<KnownPlatform> known) {

    static final String AUTOMATIC = "auto";

    /** The platform that an option names, else the first that recognises where we are. */
    Found find(Evidence evidence, Settings settings) {
        Optional<Setting> named = settings.find(OptionTable.PLATFORM)
                .filter(setting -> !setting.value().equals(AUTOMATIC));
        if (named.isPresent()) {
            return found(
                    named(named.get()).reader().apply(evidence), named.get().origin(), List.of());
        }
        List<PlatformReader> here = new ArrayList<>();
        List<String> signs = new ArrayList<>();
        for (KnownPlatform one : known) {
            PlatformReader reader = one.reader().apply(evidence);
            Optional<String> sign = reader.sign();
            if (sign.isPresent() && (here.isEmpty() || !one.name().equals(PlatformContract.NONE.name()))) {
                here.add(reader);
                signs.add(here.size() == 1 ? sign.get() : one.name() + " (" + sign.get() + ")");
            }
        }
        return found(here.get(0), signs.get(0), signs.subList(1, signs.size()));
    }

    private static Found found(PlatformReader reader, String why, List<String> others) {
        return new Found(reader, new DetectedPlatform(reader.contract(), why, others));
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
    record Found(PlatformReader reader, DetectedPlatform detected) {}
}
