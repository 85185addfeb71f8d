package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.OptionValue;
import java.util.Optional;

/**
 * Where the processes of a PyTorch job meet, as a platform tells it by {@code MASTER_ADDR} and {@code MASTER_PORT}. Scripts for such
 * a platform read these variables, and know no {@code --init_method}: they want to be started once for each card.
 */
final class TorchMaster {

    static final String ADDRESS = "MASTER_ADDR";
    static final String PORT = "MASTER_PORT";
    static final String RANK = "RANK";
    static final String WORLD_SIZE = "WORLD_SIZE";

    /** The options of engines that follow such variables. */
    static final String ADDRESS_OPTION = "master-addr";

    static final String PORT_OPTION = "master-port";
    static final String PROCESSES_OPTION = "processes";
    static final String PER_CARD = "per-card";

    private TorchMaster() {}

    /** What the variables say about options of the engine. */
    static void addOptions(Evidence evidence, PlatformFacts.Builder facts) {
        boolean canStart = evidence.isSet(ADDRESS) && evidence.engineHasChoice(PROCESSES_OPTION, PER_CARD);
        facts.option(
                        ADDRESS_OPTION,
                        () -> evidence.value(ADDRESS)
                                .map(value -> new OptionValue(Variables.address(ADDRESS, value), ADDRESS)))
                .option(PORT_OPTION, () -> evidence.number(PORT, 1, OptionTable.HIGHEST_PORT))
                .option(
                        PROCESSES_OPTION,
                        () -> canStart ? Optional.of(new OptionValue(PER_CARD, ADDRESS)) : Optional.empty());
    }
}
