package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;

/**
 * The platform that we are on.
 *
 * @param info what it tells
 * @param why how we know, for the plan: variables that are set, or an option
 * @param others that would have been taken had this one not been there: name and sign
 * @param warnings what the user should know about being here
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

    /** Between which numbers of nodes the job may have, where these come and go. */
    Optional<OptionValue> elastic() {
        return Optional.ofNullable(info.options().get(OptionTable.NODES.name()))
                .filter(nodes -> isRange(nodes.value()));
    }

    /**
     * What it says of an option.
     *
     * @throws MusterException when it cannot tell, with its words
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
