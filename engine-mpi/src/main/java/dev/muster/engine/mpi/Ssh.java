package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the nodes of a job speak to each other.
 *
 * @param sshd who serves
 * @param port on which every node's sshd listens; empty: the user's ssh configuration says it
 * @param more arguments that somebody gives all of mpirun's calls
 * @param aliases addresses of hosts that mpirun calls by other names
 */
record Ssh(Sshd sshd, Optional<Integer> port, String more, SortedMap<String, String> aliases) {

    /** Of a job that calls nobody. */
    static final Ssh UNUSED = new Ssh(Sshd.NONE, Optional.empty(), "", new TreeMap<>());

    /** What {@link Scripts#LOGIN} ends with when a host is not the one that it should be. */
    static final int WRONG_HOST_KEY = 76;

    private static final Value SHELL = Value.of("/bin/sh");
    private static final Value NONE = Value.of("-");
    private static final Value PRIVATE = new Value.PrivateDirectory();

    private static final String CLIENT_CONFIG = "ssh_config";

    /**
     * How this node speaks to the hosts of a job.
     *
     * @param port of their sshd; empty: the user's ssh configuration says it
     */
    static Ssh of(JobSpec job, Seat seat, Sshd sshd, Optional<Integer> port) {
        SortedMap<String, String> aliases = new TreeMap<>();
        for (MpiHost host : seat.hosts()) {
            if (!host.alias().equals(host.address())) {
                aliases.put(host.alias(), host.address());
            }
        }
        return new Ssh(sshd, port, sshd == Sshd.OWN ? "" : RemoteShell.arguments(job), aliases);
    }

    /** The files that a node needs to speak to others. */
    List<FileToWrite> files() {
        List<FileToWrite> files = new ArrayList<>(List.of(Scripts.LOGIN, Scripts.TELL));
        if (sshd == Sshd.OWN) {
            files.add(config());
        }
        return files;
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

    private FileToWrite config() {
        ValueText text = rules();
        aliases.forEach((alias, address) -> text.line("Host " + alias).line("HostName " + address));
        return new FileToWrite(CLIENT_CONFIG, Optional.empty(), CLIENT_CONFIG, text.value());
    }

    /** A host lets us in. */
    Condition letsUsIn(MpiHost host, int number) {
        return loginEnds(host, number, 0);
    }

    /** A host is another one than the job's. */
    Condition isSomebodyElse(MpiHost host, int number) {
        return loginEnds(host, number, WRONG_HOST_KEY);
    }

    /** The words of a script's command that tell it how to call ssh. */
    List<Value> client() {
        return List.of(
                sshd == Sshd.OWN ? config().path() : NONE,
                port.map(number -> Value.of(number)).orElse(NONE));
    }

    /**
     * A command that tells hosts how the job ends, and why.
     *
     * @param label of this node
     */
    List<Value> tell(String word, String label, List<MpiHost> hosts) {
        List<Value> command = script(Scripts.TELL);
        command.addAll(client());
        command.addAll(List.of(Value.of(word), new Value.ExitCode(), Value.of(label), new Value.Reason()));
        hosts.forEach(host -> command.add(Value.of(host.login())));
        return command;
    }

    /** A command that runs a script with the private directory as its first argument. */
    static List<Value> script(FileToWrite script) {
        return new ArrayList<>(List.of(SHELL, script.path(), PRIVATE));
    }

    /** A command of literal words behind a script. */
    static List<Value> script(FileToWrite script, List<String> words) {
        List<Value> command = script(script);
        command.addAll(Launch.literally(words));
        return command;
    }

    private Condition loginEnds(MpiHost host, int number, int code) {
        List<Value> command = script(Scripts.LOGIN);
        command.addAll(client());
        command.add(Value.of(host.login()));
        command.add(Value.of(number));
        // Where the user's configuration leads may be known to ssh alone.
        return sshd == Sshd.NONE
                ? new Condition.CommandEnds(command, code, host.name(), Optional.empty())
                : new Condition.CommandEnds(command, code, host.isOpen());
    }
}
