package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
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

    /** The option by which engines that follow such variables are known. */
    static final String ADDRESS_OPTION = "master-addr";

    private static final String PORT_OPTION = "master-port";
    private static final String PROCESSES_OPTION = "processes";
    private static final String PER_CARD = "per-card";

    private TorchMaster() {}

    /** What the variables say about an option of the engine. */
    static Optional<Setting> option(Evidence evidence, Option option) {
        return switch (option.name()) {
            case ADDRESS_OPTION ->
                evidence.value(ADDRESS)
                        .map(value -> Setting.ofPlatform(option, Variables.address(ADDRESS, value), ADDRESS));
            case PORT_OPTION ->
                evidence.value(PORT)
                        .map(value -> Setting.ofPlatform(
                                option,
                                Variables.number(evidence.environment(), PORT, 1, OptionTable.HIGHEST_PORT),
                                PORT));
            case PROCESSES_OPTION ->
                evidence.isSet(ADDRESS) && option.form().problem(PER_CARD).isEmpty()
                        ? Optional.of(Setting.ofPlatform(option, PER_CARD, ADDRESS))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }
}
