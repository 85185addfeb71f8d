package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one platform tells the containers of its jobs. Every method looks only when it is asked, so that a variable which an
 * option overrides is not even read.
 */
sealed interface Platform permits ModelArts, NoPlatform {

    /** Its name for {@code --platform} and its promises. */
    PlatformContract contract();

    /** By what it is recognised here; empty: we are not on it. */
    Optional<String> sign();

    /** The job's id. */
    Optional<OptionValue> jobId();

    /** Why this platform cannot do without {@link #jobId}, naming all that is missing; empty: it can. */
    Optional<String> whatIsMissing();

    /** The setting of {@code --nodes}. */
    Optional<Setting> nodes();

    /** The setting of {@code --node-index}. */
    Optional<Setting> nodeIndex();

    /** The setting of {@code --cards}. */
    Optional<Setting> cards();

    /** What this node is called. */
    Optional<OptionValue> nodeName();

    /** The address under which this node's host is known. */
    Optional<OptionValue> nodeAddress();

    /** What this node does. */
    Optional<String> role();

    /** The hosts of all nodes with this node's role, in node order. */
    List<Host> hosts();

    /** The hosts of every role that has containers of its own, by the role's name in lower case; empty: there are no roles. */
    Map<String, List<Host>> hostsByRole();

    /**
     * What this platform says about an option of the chosen engine, where nobody else does.
     *
     * @param warn told of a word of the platform's that means nothing to the engine
     */
    Optional<Setting> engineOption(Option option, Consumer<String> warn);

    /** Where things belong, unless options say otherwise. */
    ContractPlaces places();
}
