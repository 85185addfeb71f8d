package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;
import java.util.Optional;

/** How mpirun's calls of ssh get to the other hosts of a job. */
final class SshClient {

    /** By these somebody tells mpirun which program calls other hosts, and with which arguments, as the MPI operator does: we go the same way. */
    private static final List<String> PROGRAM = List.of(
            "PRTE_MCA_plm_ssh_agent", "OMPI_MCA_plm_rsh_agent", "I_MPI_HYDRA_BOOTSTRAP_EXEC", "HYDRA_LAUNCHER_EXEC");

    private static final List<String> ARGUMENTS = List.of(
            "PRTE_MCA_plm_ssh_args",
            "OMPI_MCA_plm_rsh_args",
            "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
            "HYDRA_LAUNCHER_EXTRA_ARGS",
            "HYDRA_LAUNCH_EXTRA_ARGS");

    private static final Value PRIVATE = Value.privateDirectory();

    private static final String CONFIG = "ssh_config";

    private final MpiJob job;
    private final boolean isOwn;
    private final Optional<Value> port;

    SshClient(MpiJob job) {
        this.job = job;
        this.isOwn = Sshd.of(job.spec()) == Sshd.OWN;
        this.port = job.sshPort().map(number -> Value.of(number.value()));
    }

    /**
     * The configuration of the job's own, if it has one. Only the job's key counts, on both sides: whoever has it may log in, and whoever
     * logs in expects it of the host. Newer clients prefer an exchange of keys that keeps a core busy for 70 ms; node 0 makes one for each
     * host.
     */
    List<GeneratedFile> files() {
        Value text = new ValueText()
                .line("IdentityFile \"", PRIVATE, "/key\"")
                .add(Value.resource("ssh-keys.conf"))
                .line("UserKnownHostsFile \"", PRIVATE, "/known_hosts\"")
                .add(Value.resource("ssh-sessions.conf"))
                .value();
        return isOwn ? List.of(new GeneratedFile(CONFIG, Optional.empty(), CONFIG, text)) : List.of();
    }

    /** The path of that configuration, or {@code -}. */
    Value configuration() {
        return isOwn ? Value.pathOf(CONFIG) : Value.of("-");
    }

    /** What mpirun gives to ssh: never a secret. Empty: it knows the hosts' port, and what else there is. */
    Optional<Value> arguments() {
        String more = isOwn ? "" : first(job.spec(), ARGUMENTS, "");
        return port.map(number -> {
            ValueText text = new ValueText().add("-p ").add(number);
            if (isOwn) {
                text.add(" -F ").add(configuration());
            }
            // Where ssh is told twice, the first counts.
            return text.add(more.isEmpty() ? "" : " " + more).value();
        });
    }

    /** For the scripts that call hosts: the program, perhaps with arguments, more of these, and the port or {@code -}. */
    List<Value> client() {
        return List.of(
                Value.of(first(job.spec(), PROGRAM, "ssh")),
                Value.of(first(job.spec(), ARGUMENTS, "")),
                port.orElse(Value.of("-")));
    }

    private static String first(JobSpec job, List<String> names, String otherwise) {
        return names.stream()
                .flatMap(name -> job.variable(name).stream())
                .map(OptionValue::value)
                .findFirst()
                .orElse(otherwise);
    }
}
