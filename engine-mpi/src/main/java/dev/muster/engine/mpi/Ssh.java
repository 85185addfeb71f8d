package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How mpirun gets to the nodes of a job.
 *
 * @param sshd who serves
 * @param port on which every node's sshd listens; empty: the user's ssh configuration says it
 * @param more arguments that somebody gives all of mpirun's calls
 * @param aliases addresses of hosts that mpirun calls by other names
 */
record Ssh(Sshd sshd, Optional<Integer> port, String more, SortedMap<String, String> aliases) {

    /** Of a job that calls nobody. */
    static final Ssh UNUSED = new Ssh(Sshd.NONE, Optional.empty(), "", new TreeMap<>());

    /** By these somebody tells mpirun which program calls other hosts, and with which arguments, as the MPI operator does: we go the same way. */
    private static final List<String> PROGRAM = List.of(
            "PRTE_MCA_plm_ssh_agent", "OMPI_MCA_plm_rsh_agent", "I_MPI_HYDRA_BOOTSTRAP_EXEC", "HYDRA_LAUNCHER_EXEC");

    private static final List<String> ARGUMENTS = List.of(
            "PRTE_MCA_plm_ssh_args",
            "OMPI_MCA_plm_rsh_args",
            "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
            "HYDRA_LAUNCHER_EXTRA_ARGS",
            "HYDRA_LAUNCH_EXTRA_ARGS");

    private static final Value NONE = Value.of("-");
    private static final Value PRIVATE = Value.privateDirectory();

    private static final String CLIENT_CONFIG = "ssh_config";

    /**
     * How this node gets to the hosts of a job.
     *
     * @param port of their sshd; empty: the user's ssh configuration says it
     */
    static Ssh of(JobSpec job, NodeAssignment assignment, Sshd sshd, Optional<Integer> port) {
        SortedMap<String, String> aliases = new TreeMap<>();
        for (MpiHost host : assignment.hosts()) {
            if (!host.alias().equals(host.address())) {
                aliases.put(host.alias(), host.address());
            }
        }
        return new Ssh(sshd, port, sshd == Sshd.OWN ? "" : arguments(job), aliases);
    }

    /** The files that a node needs to get to others. */
    List<GeneratedFile> files() {
        return sshd == Sshd.OWN ? List.of(config()) : List.of();
    }

    /** What mpirun gives to ssh: never a secret. */
    Value arguments() {
        ValueText text = new ValueText();
        port.ifPresent(number -> text.add("-p " + number));
        if (sshd == Sshd.OWN) {
            text.add(" -F ").add(config().path());
        }
        // Where ssh is told twice, the first counts.
        return more.isEmpty() ? text.value() : text.add(" " + more).value();
    }

    /** The configuration of the job's own, for whom a script has to tell. */
    Value configuration() {
        return sshd == Sshd.OWN ? config().path() : NONE;
    }

    /** The words of a script's command that tell it how to call hosts which serve ssh themselves. */
    List<Value> client(JobSpec job) {
        return List.of(
                Value.of(program(job)),
                Value.of(more),
                port.map(number -> Value.of(number)).orElse(NONE));
    }

    /**
     * Only the job's key counts, on both sides: whoever has it may log in, and whoever logs in expects it of the host. Newer clients
     * prefer an exchange of keys that keeps a core busy for 70 ms; node 0 makes one for each host.
     */
    private GeneratedFile config() {
        ValueText text = new ValueText()
                .line("IdentityFile \"", PRIVATE, "/key\"")
                .add(Value.resource("ssh-keys.conf"))
                .line("UserKnownHostsFile \"", PRIVATE, "/known_hosts\"")
                .add(Value.resource("ssh-sessions.conf"));
        aliases.forEach((alias, address) -> text.line("Host " + alias).line("HostName " + address));
        return new GeneratedFile(CLIENT_CONFIG, Optional.empty(), CLIENT_CONFIG, text.value());
    }

    /** What is called, perhaps with arguments. */
    static String program(JobSpec job) {
        return first(job, PROGRAM, "ssh");
    }

    /** What these variables add to all calls. */
    static String arguments(JobSpec job) {
        return first(job, ARGUMENTS, "");
    }

    private static String first(JobSpec job, List<String> names, String otherwise) {
        return names.stream()
                .flatMap(name -> job.variable(name).stream())
                .map(OptionValue::value)
                .findFirst()
                .orElse(otherwise);
    }
}
