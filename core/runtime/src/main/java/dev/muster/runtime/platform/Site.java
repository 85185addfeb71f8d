package dev.muster.runtime.platform;

import dev.muster.runtime.config.Settings;
import dev.muster.spi.Node;
import dev.muster.spi.Places;
import java.util.List;

/**
 * Where this launcher stands: platform and options taken together.
 *
 * @param jobId safe in paths and host names
 * @param settings the settings, with those that the platform decided
 * @param warnings what the user should know
 */
public record Site(
        DetectedPlatform platform, String jobId, Node node, Places places, Settings settings, List<String> warnings) {

    public Site {
        warnings = List.copyOf(warnings);
    }
}
