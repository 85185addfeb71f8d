package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A container of a job of Apulis, or of DLWorkspace, from which it comes. */
final class Apulis implements Platform {

    private static final String NAME = "apulis";
    private static final String JOB = "DLWS_JOB_ID";
    private static final String WORKERS = "DLWS_NUM_WORKER";
    private static final String CARDS = "DLWS_NUM_GPU_PER_WORKER";
    private static final String USER = "DLWS_USER_NAME";
    private static final String SSH_PORT = "DLWS_SD_worker0_SSH_PORT";

    static final KnownPlatform KNOWN = new KnownPlatform(
            NAME, "Apulis and DLWorkspace", List.of("DLWS_*", "DLTS_*", "VISIBLE_IDS", "NPU_IPS"), Apulis::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .localVariables(List.of("DLWS_ROLE_IDX", "DLWS_ROLE_NAME", "DLWS_SD_SELF_*", "VISIBLE_IDS"))
            .build();

    private final Evidence evidence;

    private Apulis(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        return evidence.isSet(JOB) ? Optional.of("set: " + JOB) : Optional.empty();
    }

    @Override
    public Optional<OptionValue> jobId() {
        return evidence.value(JOB).map(id -> new OptionValue(Variables.safeName(JOB, id, "a job id"), JOB));
    }

    @Override
    public Optional<Setting> cards() {
        return evidence.isSet(CARDS)
                ? Optional.of(Setting.ofPlatform(
                        OptionTable.CARDS,
                        Variables.number(evidence.environment(), CARDS, 0, OptionTable.MOST_CARDS),
                        CARDS))
                : Optional.empty();
    }

    /** Every container serves ssh already, and the platform writes a hostfile where there are several. */
    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        Optional<String> hostfile = hostfile();
        Map<String, Optional<Setting>> said = Map.of(
                "sshd", hostfile.map(file -> Setting.ofPlatform(option, "none", JOB)),
                "hostfile", hostfile.map(file -> Setting.ofPlatform(option, file, USER)),
                "sshd-port", port(option, settings));
        return said.getOrDefault(option.name(), Optional.empty());
    }

    private Optional<String> hostfile() {
        Optional<String> file =
                evidence.value(USER).map(user -> "/home/" + Variables.safeName(USER, user, "a user") + "/ib_config");
        return file.filter(path -> workers() > 1 || evidence.files().isFile(path));
    }

    private int workers() {
        return evidence.isSet(WORKERS)
                ? Integer.parseInt(Variables.number(evidence.environment(), WORKERS, 0, OptionTable.MOST_NODES))
                : 1;
    }

    /** The port of all workers in Apulis' own example of horovodrun; the aliases that ssh knows have a port each. */
    private Optional<Setting> port(Option option, Settings settings) {
        boolean isHorovod = settings.optionsOfEngine().stream()
                .filter(one -> one.name().equals("launcher"))
                .flatMap(one -> settings.text(one).stream())
                .anyMatch("horovodrun"::equals);
        return isHorovod && evidence.isSet(SSH_PORT)
                ? Optional.of(Setting.ofPlatform(
                        option, Variables.number(evidence.environment(), SSH_PORT, 1, 65_535), SSH_PORT))
                : Optional.empty();
    }
}
