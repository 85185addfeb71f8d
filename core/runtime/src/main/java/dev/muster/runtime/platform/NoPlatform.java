package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.World;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A bare server: only options tell anything. */
final class NoPlatform implements Platform {

    private static final String LOGS = "muster-logs";

    private final World world;

    NoPlatform(World world) {
        this.world = world;
    }

    @Override
    public PlatformContract contract() {
        return PlatformContract.NONE;
    }

    @Override
    public Optional<String> sign() {
        return Optional.of("no variable of a platform is set");
    }

    @Override
    public Optional<OptionValue> jobId() {
        return Optional.empty();
    }

    @Override
    public Optional<String> whatIsMissing() {
        return Optional.empty();
    }

    @Override
    public Optional<Setting> nodes() {
        return Optional.empty();
    }

    @Override
    public Optional<Setting> nodeIndex() {
        return Optional.empty();
    }

    @Override
    public Optional<Setting> cards() {
        return Optional.empty();
    }

    @Override
    public Optional<OptionValue> nodeName() {
        return Optional.empty();
    }

    @Override
    public Optional<OptionValue> nodeAddress() {
        return Optional.empty();
    }

    @Override
    public Optional<String> role() {
        return Optional.empty();
    }

    @Override
    public List<Host> hosts() {
        return List.of();
    }

    @Override
    public Map<String, List<Host>> hostsByRole() {
        return Map.of();
    }

    @Override
    public Optional<Setting> engineOption(Option option, Consumer<String> warn) {
        return Optional.empty();
    }

    @Override
    public ContractPlaces places() {
        return new ContractPlaces(
                Setting.ofDefault(OptionTable.WORKDIR, world.directory().toString()),
                false,
                Setting.ofDefault(
                        OptionTable.LOG_DIR, world.directory().resolve(LOGS).toString()),
                Optional.empty());
    }
}
