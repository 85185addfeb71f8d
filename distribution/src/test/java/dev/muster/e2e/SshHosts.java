package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Hosts of a scene that ssh can reach: one real sshd at several addresses of this machine, called {@code h0}, {@code h1} and so on, and an
 * {@code ssh} whose configuration knows them. Commands there carry the scene's tag.
 */
final class SshHosts implements AutoCloseable {

    /** The command that runs instead of the asked one, on a host without Muster at the path of the package. */
    static final String WITHOUT_MUSTER =
            "sh -c \"$(echo \"$SSH_ORIGINAL_COMMAND\" | sed 's,head -c [0-9]*,& | sed s:_home/bin/muster:_home/bin/mustem:,')\"";

    /** A host that demands a password. */
    static final String WITH_PASSWORD = "password";

    static final String PASSWORD = "sesame";

    /** A host whose key the user does not know yet. */
    static final String UNKNOWN = "unknown";

    /** The hash of the password, for {@code /etc/shadow}. */
    private static final String HASH =
            "$6$bZDP.hhJDKk.6hIa$KdVJWjUeuXnw3G8mnhe/6v0f3BUyj6muGjrlrur02Mec4X2X.jBJ4pLeE3vJ.kGlRE3QfqZwlY6ZCSaxQ8f0M1";

    private final Scene scene;
    private final Path directory;
    private final String network;
    private final int port;
    private final Launched sshd;

    /** @param commands for each host: the command that runs there instead of the asked one; empty: the asked one */
    SshHosts(Scene scene, String... commands) {
        Components.require("ssh", "sshd", "ssh-keygen");
        this.scene = scene;
        this.directory = scene.beside("ssh");
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // Engines take these loopback addresses for addresses of different nodes.
        network = "127.77." + random.nextInt(0, 255) + ".";
        port = freePort();
        try {
            Files.createDirectories(directory.resolve("bin"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        List.of("host", "user").forEach(this::makeKey);
        configure(List.of(commands));
        String file = directory.resolve("sshd_config").toString();
        String run = "exec \"$(command -v sshd)\" -D -e -f " + file;
        sshd = (List.of(commands).contains(WITH_PASSWORD) ? withPassword(run) : scene.command("sh", "-c", run))
                .unset(Processes.TAG)
                .start();
        for (int host = 0; host < commands.length; host++) {
            sshd.awaitMessage("Server listening on " + address(host) + " ");
        }
    }

    /** The address of the sshd of a host. */
    String address(int host) {
        return network + (200 + host);
    }

    /** Where copies of Muster are on all hosts. */
    Path cache() {
        return scene.beside("cache");
    }

    int port() {
        return port;
    }

    /** {@code muster run} of a job with one rank on each of these hosts. */
    Invocation run(String hosts, String... options) {
        return muster("--hosts", hosts, "--cards", "1").with(options).with("--");
    }

    /** {@code muster run} with these options. */
    Invocation muster(String... options) {
        return scene.apart(scene.muster("run", "--engine", "pytorch-gpu")
                .with(options)
                .set("PATH", directory.resolve("bin") + ":" + Invocation.PATH));
    }

    @Override
    public void close() {
        sshd.signal("TERM").await();
    }

    /** Runs the sshd with a password file of its own. */
    private Invocation withPassword(String run) {
        Components.require("unshare");
        Path shadow = directory.resolve("shadow");
        Scene.write(
                shadow,
                Scene.read(Path.of("/etc/shadow"))
                        .replaceFirst("(?m)^root:[^:]*:", "root:" + HASH.replace("$", "\\$") + ":"));
        return scene.command("unshare", "--mount", "sh", "-c", "mount --bind " + shadow + " /etc/shadow && " + run);
    }

    private void makeKey(String name) {
        scene.command(
                        "ssh-keygen",
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-f",
                        directory.resolve(name).toString())
                .run()
                .endedWith(0);
    }

    private void configure(List<String> commands) {
        List<String> server = new ArrayList<>(List.of(
                "Port " + port,
                "HostKey " + directory.resolve("host"),
                "AuthorizedKeysFile " + directory.resolve("user.pub"),
                "StrictModes no",
                "PidFile none",
                "UsePAM no",
                "PermitRootLogin yes",
                "SetEnv " + Processes.TAG + "=" + scene.tag() + " JAVA_HOME="
                        + scene.jdk().home() + " XDG_CACHE_HOME=" + cache()));
        List<String> client = new ArrayList<>();
        List<String> known = new ArrayList<>();
        String key = Scene.read(directory.resolve("host.pub"));
        for (int host = 0; host < commands.size(); host++) {
            server.add(1, "ListenAddress " + address(host));
            client.addAll(List.of("Host h" + host, "HostName " + address(host)));
            if (commands.get(host).equals(UNKNOWN)) {
                client.add("StrictHostKeyChecking ask");
            } else {
                known.add("[" + address(host) + "]:" + port + " " + key);
            }
        }
        for (int host : IntStream.range(0, commands.size())
                .filter(one -> !Set.of("", UNKNOWN).contains(commands.get(one)))
                .toArray()) {
            String command = commands.get(host);
            server.addAll(List.of(
                    "Match LocalAddress " + address(host),
                    command.equals(WITH_PASSWORD) ? "PubkeyAuthentication no" : "ForceCommand " + command));
        }
        client.addAll(List.of(
                "Host *",
                "Port " + port,
                "IdentityFile " + directory.resolve("user"),
                "UserKnownHostsFile " + directory.resolve("known_hosts"),
                "StrictHostKeyChecking yes"));
        Scene.write(directory.resolve("sshd_config"), String.join("\n", server) + "\n");
        Scene.write(directory.resolve("ssh_config"), String.join("\n", client) + "\n");
        Scene.write(directory.resolve("known_hosts"), String.join("\n", known));
        Path ssh = directory.resolve("bin/ssh");
        Scene.write(
                ssh,
                "#!/bin/sh\nPATH=" + Invocation.PATH + " exec ssh -F " + directory.resolve("ssh_config") + " \"$@\"\n");
        ssh.toFile().setExecutable(true, false);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
