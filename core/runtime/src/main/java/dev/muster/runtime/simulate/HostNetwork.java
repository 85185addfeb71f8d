package dev.muster.runtime.simulate;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.Reasons;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Virtual nodes as hosts of their own: network, mount, UTS and IPC namespaces, joined by a bridge in a network of its own.
 * Namespaces live as long as the processes in them, so nothing is left behind, however a simulation ends. The network leads
 * nowhere else.
 */
final class HostNetwork {

    /** The service that holds the network together. */
    static final String ID = "network";

    private static final String HOSTS = "hosts";
    private static final String PREFIX = "10.201.";
    private static final int PREFIX_BITS = 16;
    private static final int PER_ROW = 250;
    private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(10);
    /** What host.sh mounts over. */
    private static final List<String> OWN_TREES = List.of("/run", "/dev/shm");

    private static final List<String> NAMESPACES = List.of("unshare", "--net", "--mount", "--uts", "--ipc");

    private final User user;
    private final Path directory;

    /**
     * Who makes the hosts. Root may do so at once; anybody else does it in a user namespace, and in there is himself again
     * when a node's launcher starts.
     */
    record User(int uid, int gid) {

        static User current() {
            try {
                Path self = Path.of("/proc/self");
                return new User(
                        (Integer) Files.getAttribute(self, "unix:uid"), (Integer) Files.getAttribute(self, "unix:gid"));
            } catch (IOException unreadable) {
                throw new MusterException(ExitCode.UNAVAILABLE, "/proc cannot be read; is it mounted?", unreadable);
            }
        }

        boolean isRoot() {
            return uid == 0;
        }
    }

    /** @param directory of the simulation */
    HostNetwork(User user, Path directory) {
        this.user = user;
        this.directory = directory;
    }

    /** Why there cannot be hosts of their own on this machine; empty when there can. */
    Optional<String> obstacle(CommandRunner commands) {
        return OWN_TREES.stream()
                .filter(directory::startsWith)
                .findFirst()
                .map(own -> directory + " is in " + own + ", of which every host has its own")
                .or(() -> failedTrial(commands));
    }

    private Optional<String> failedTrial(CommandRunner commands) {
        List<String> namespaces = new ArrayList<>(NAMESPACES);
        if (!user.isRoot()) {
            namespaces.addAll(List.of("--user", "--map-root-user"));
        }
        List<String> trial = new ArrayList<>(namespaces);
        trial.addAll(shell("trial"));
        CommandRunner.Answer answer = commands.ask(trial, TRIAL_DEADLINE);
        if (answer.exitCode() == 0) {
            return Optional.empty();
        }
        return reason(answer.output()).or(() -> Optional.of(unexplained(namespaces, answer.exitCode())));
    }

    /** Of what the trial said, why it failed; indented lines are mount's hints. */
    static Optional<String> reason(String said) {
        return said.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .reduce((earlier, later) -> later);
    }

    private static String unexplained(List<String> command, int exitCode) {
        return exitCode == ExitCode.NOT_FOUND.code()
                ? "there is no " + command.get(0) + " here"
                : "\"" + String.join(" ", command) + "\" is not allowed here";
    }

    /** @param container counted from 0 over all nodes */
    static String address(int container) {
        return PREFIX + (1 + container / PER_ROW) + "." + (1 + container % PER_ROW);
    }

    /** What every host finds in /etc/hosts. */
    static String hostsFile(List<VirtualNode> nodes) {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
        for (VirtualNode node : nodes) {
            text.append(node.node().address()).append(' ');
            text.append(String.join(" ", node.site().hostNames())).append('\n');
        }
        return text.toString();
    }

    /**
     * Writes what the hosts find in /etc/hosts.
     *
     * @throws MusterException when the directory cannot be written
     */
    void prepare(List<VirtualNode> nodes) {
        try {
            // Of an earlier simulation in the same directory, whose network is no more.
            Files.deleteIfExists(pidFile());
            AtomicFile.write(directory, HOSTS, hostsFile(nodes).getBytes(StandardCharsets.UTF_8));
        } catch (FileException refused) {
            throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
        } catch (IOException refused) {
            throw new MusterException(
                    ExitCode.CONFIGURATION, "cannot remove " + pidFile() + ": " + Reasons.of(refused), refused);
        }
    }

    /** Holds the network until all nodes' launchers have ended. */
    ProcessSpec service() {
        List<String> command = new ArrayList<>(List.of("unshare", "--net"));
        if (!user.isRoot()) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(shell(ID));
        command.add(pidFile().toString());
        Launch launch =
                new Launch(Launch.literally(command), EnvironmentChange.NONE, directory.toString(), ID + ".log");
        return ProcessSpec.service(ID, launch).build();
    }

    /** The command, as it is started for a node in a host of its own, which waits for its network. */
    List<String> around(VirtualNode node, int container, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                "sh", "-c", "until [ -s \"$1\" ]; do sleep 0.02; done; read -r pid < \"$1\" && " + enter(), "host"));
        words.add(pidFile().toString());
        words.add(script("host"));
        words.add(Integer.toString(container));
        words.add(node.node().address() + "/" + PREFIX_BITS);
        words.add(node.node().name());
        words.add(directory.resolve(HOSTS).toString());
        if (!user.isRoot()) {
            words.addAll(List.of("unshare", "--user", "--map-user=" + user.uid(), "--map-group=" + user.gid()));
        }
        words.addAll(command);
        return words;
    }

    private Path pidFile() {
        return directory.resolve("network.pid");
    }

    /** Each word becomes the next, so that the launcher is the process that gets the signals. */
    private String enter() {
        String intoUserNamespace = user.isRoot() ? "" : "nsenter --target $pid --user --preserve-credentials ";
        return "file=$1 script=$2 && shift 2 && exec " + intoUserNamespace + String.join(" ", NAMESPACES)
                + " sh -c \"$script\" host \"$file\" \"$@\"";
    }

    private static List<String> shell(String name) {
        return List.of("sh", "-c", script(name), name);
    }

    private static String script(String name) {
        try (InputStream script = HostNetwork.class.getResourceAsStream(name + ".sh")) {
            if (script == null) {
                throw new IllegalStateException(name + ".sh is not in the jar");
            }
            return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException unreadable) {
            throw new IllegalStateException(name + ".sh in the jar cannot be read", unreadable);
        }
    }
}
