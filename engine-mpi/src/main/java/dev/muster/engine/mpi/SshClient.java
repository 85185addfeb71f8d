package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;
import java.util.Optional;

/** The ssh client of mpirun: its program, arguments and configuration. */
final class SshClient {

    /** Variables that tell mpirun the program for calls to other hosts, as the MPI operator sets them. The scripts use the same program. */
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
     * The job's own configuration, if it has one. Client and server accept only the job's key: as the user's key, and as the host's key.
     * It also sets the key exchange: newer clients prefer one that takes 70 ms of a core, and node 0 makes one for each
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

    /** The arguments that mpirun passes to ssh, without secrets. Empty: ssh needs none, because it knows the hosts' port. */
    Optional<Value> arguments() {
        String more = isOwn ? "" : first(job.spec(), ARGUMENTS, "");
        return port.map(number -> {
            ValueText text = new ValueText().add("-p ").add(number);
            if (isOwn) {
                text.add(" -F ").add(configuration());
            }
            // If an option is given twice, ssh uses the first.
            return text.add(more.isEmpty() ? "" : " " + more).value();
        });
    }

    /** Arguments of scripts that call hosts: the program, perhaps with arguments, more arguments, and the port or {@code -}. */
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
