package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.World;
import java.util.List;
import java.util.Optional;

/** Asks the platforms in order whether we are on them; the last one always is. */
final class PlatformDetector {

    private PlatformDetector() {}

    /** The platform that an option names, else the first that recognises where we are. */
    static Found find(World world, Settings settings) {
        Optional<Setting> named = settings.find(OptionTable.PLATFORM);
        boolean automatic = named.isEmpty() || named.get().value().equals("auto");
        for (Platform platform : List.of(new ModelArts(world), new NoPlatform(world))) {
            Optional<String> why = automatic ? platform.sign() : named(platform, named.get());
            if (why.isPresent()) {
                return new Found(platform, new DetectedPlatform(platform.contract(), why.get()));
            }
        }
        throw new IllegalStateException("the option table offers a platform that is not in the list");
    }

    private static Optional<String> named(Platform platform, Setting setting) {
        return platform.contract().name().equals(setting.value()) ? Optional.of(setting.origin()) : Optional.empty();
    }

    /** A platform, and what others may know of how it was found. */
    record Found(Platform platform, DetectedPlatform detected) {}
}
