package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.spi.Evidence;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the platforms in order whether we are on them; the last one always is.
 *
 * @param known all platforms but in tests
 */
record PlatformDetector(List<? extends Platform> known) {

    static final String AUTOMATIC = "auto";

    /** The platform that an option names, else the first that recognises where we are. */
    DetectedPlatform find(Evidence evidence, Settings settings) {
        Optional<Setting> named = settings.find(OptionTable.PLATFORM)
                .filter(setting -> !setting.value().equals(AUTOMATIC));
        if (named.isPresent()) {
            return read(named(named.get()), evidence, named.get().origin(), List.of());
        }
        List<Platform> here = new ArrayList<>();
        List<String> signs = new ArrayList<>();
        for (Platform one : known) {
            Optional<String> sign = one.sign(evidence);
            if (sign.isPresent() && (here.isEmpty() || !one.name().equals(PlatformContract.NONE.name()))) {
                here.add(one);
                signs.add(here.size() == 1 ? sign.get() : one.name() + " (" + sign.get() + ")");
            }
        }
        return read(here.get(0), evidence, signs.get(0), signs.subList(1, signs.size()));
    }

    private static DetectedPlatform read(Platform platform, Evidence evidence, String why, List<String> others) {
        try {
            return new DetectedPlatform(platform.read(evidence), why, others);
        } catch (PlanException refused) {
            throw new MusterException(ExitCode.of(refused.kind()), String.valueOf(refused.getMessage()), refused);
        }
    }

    private Platform named(Setting setting) {
        List<String> names = new ArrayList<>(List.of(AUTOMATIC));
        for (Platform one : known) {
            if (one.name().equals(setting.value())) {
                return one;
            }
            names.add(one.name());
        }
        throw Settings.refusal(
                setting, "is not one of " + String.join(", ", names) + Nearest.suggestion(setting.value(), names));
    }
}
