package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The launcher of an MPIJob of Kubeflow's mpi-operator, which runs sshd on the workers and writes a hostfile. */
final class MpiJob implements Platform {

    private static final String NAME = "mpijob";
    private static final String ROLE = "K_MPI_JOB_ROLE";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Kubeflow MPIJob (mpi-operator)", List.of("K_MPI_*"), MpiJob::new);

    private static final PlatformContract CONTRACT =
            PlatformContract.named(NAME).localVariables(List.of(ROLE)).build();

    private final Evidence evidence;

    private MpiJob(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        return evidence.value(ROLE).map(role -> "set: " + ROLE);
    }

    @Override
    public Optional<String> refusal() {
        return evidence.engine().isEmpty() || evidence.engineLogsIn()
                ? Optional.empty()
                : Optional.of("an MPIJob (" + ROLE + ") starts its command in the launcher alone, and engine "
                        + evidence.engine().orElseThrow().id()
                        + " boots a job from all its nodes. Use --engine mpi here, or a PyTorchJob, a TFJob or a Volcano job"
                        + " for this engine; --platform none boots the launcher alone");
    }

    /** The workers serve ssh; where they are listed is told in a variable of MPI itself. */
    @Override
    public Optional<Setting> engineOption(Option option, Settings settings, Consumer<String> warn) {
        return option.name().equals("sshd") ? Optional.of(Setting.ofPlatform(option, "none", ROLE)) : Optional.empty();
    }
}
