package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;
import java.util.List;

/**
 * The platform that we are on.
 *
 * @param why how we know, for the plan: variables that are set, or an option
 * @param others that would have been taken had this one not been there: name and sign
 */
public record DetectedPlatform(PlatformContract contract, String why, List<String> others) {

    public DetectedPlatform {
        others = List.copyOf(others);
    }

    public String name() {
        return contract.name();
    }

    /** Why it was taken, and which others there are, for people: {@code MA_VJ_NAME is set; also volcano (...)}. */
    public String explanation() {
        return others.isEmpty() ? why : why + "; also " + String.join(", ", others);
    }
}
