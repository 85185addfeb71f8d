package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;

/**
 * The platform on which this launcher runs.
 *
 * @param info what the platform tells
 * @param why it was recognised, for the plan: variables that are set, or an option
 * @param others platforms that were recognised, too, but come later in the order: name and sign
 * @param warnings what the user should know about this platform
 */
public record DetectedPlatform(PlatformInfo info, String why, List<String> others, List<String> warnings) {

    private static final String RANGE = "[0-9]{1,9}:[0-9]{1,9}";

    public String name() {
        return contract().name();
    }

    public PlatformContract contract() {
        return info.contract();
    }

    /** Why it was taken, and which others there are, for people: {@code MA_VJ_NAME is set; also volcano (...)}. */
    public String explanation() {
        return others.isEmpty() ? why : why + "; also " + String.join(", ", others);
    }

    /** {@code LEAST:MOST} nodes. */
    static boolean isRange(String nodes) {
        return nodes.matches(RANGE);
    }

    /** The least and the greatest number of nodes, in an elastic job. */
    Optional<OptionValue> elastic() {
        return Optional.ofNullable(info.options().get(OptionTable.NODES.name()))
                .filter(nodes -> isRange(nodes.value()));
    }

    /**
     * The platform's value of an option.
     *
     * @throws MusterException with the platform's reason, when it cannot tell the value
     */
    Optional<OptionValue> value(String option) {
        refuse(option);
        return Optional.ofNullable(info.options().get(option));
    }

    /** Refuses the job where the platform cannot tell something that it needs. */
    void refuse(String what) {
        Optional.ofNullable(info.refusals().get(what)).ifPresent(words -> {
            throw MusterException.configuration(words);
        });
    }
}
