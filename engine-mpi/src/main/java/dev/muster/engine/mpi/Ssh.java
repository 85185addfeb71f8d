package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
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
        return new Ssh(sshd, port, sshd == Sshd.OWN ? "" : RemoteShell.arguments(job), aliases);
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
                Value.of(RemoteShell.program(job)),
                Value.of(more),
                port.map(number -> Value.of(number)).orElse(NONE));
    }

    /** Only the job's key counts, on both sides: whoever has it may log in, and whoever logs in expects it of the host. */
    private static ValueText rules() {
        return new ValueText()
                .line("IdentityFile \"", PRIVATE, "/key\"")
                .line("IdentitiesOnly yes")
                .line("IdentityAgent none")
                .line("PreferredAuthentications publickey")
                // Newer clients prefer an exchange that keeps a core busy for 70 ms; node 0 makes one for each
                // host.
                .line("KexAlgorithms curve25519-sha256@libssh.org,ecdh-sha2-nistp256,ecdh-sha2-nistp521")
                .line("StrictHostKeyChecking yes")
                .line("UserKnownHostsFile \"", PRIVATE, "/known_hosts\"")
                .line("GlobalKnownHostsFile /dev/null")
                .line("UpdateHostKeys no")
                .line("CheckHostIP no")
                .line("BatchMode yes")
                .line("ForwardAgent no")
                .line("ForwardX11 no")
                .line("ControlPath none")
                .line("ConnectTimeout 10")
                .line("ServerAliveInterval 15")
                .line("ServerAliveCountMax 4")
                .line("LogLevel ERROR");
    }

    private GeneratedFile config() {
        ValueText text = rules();
        aliases.forEach((alias, address) -> text.line("Host " + alias).line("HostName " + address));
        return new GeneratedFile(CLIENT_CONFIG, Optional.empty(), CLIENT_CONFIG, text.value());
    }
}
