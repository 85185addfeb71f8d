package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One of the {@link TestHosts}: a container with an address, a file system and processes of its own. */
final class TestHost {

    /** The user that ModelArts' containers have. */
    static final String USER_HOME = "/home/ma-user";

    /** Runs a command as that user. */
    static final String[] AS_USER = {"setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups"};

    static final String LOGS = USER_HOME + "/modelarts/log";

    private static final Duration TO_VANISH = Duration.ofSeconds(15);
    private static final List<String> OWN_TREES = List.of("/tmp", "/run", "/home", "/root", "/dev/shm", "/var/tmp");

    private final Scene scene;
    private final int index;
    private final long first;
    private final Process bridge;
    private Set<String> filesAtFirst;

    /**
     * @param first the pid of its process 1
     * @param bridge the process whose only child has the bridge between the hosts
     */
    TestHost(Scene scene, int index, long first, Process bridge) {
        this.scene = scene;
        this.index = index;
        this.first = first;
        this.bridge = bridge;
        this.filesAtFirst = files();
    }

    int index() {
        return index;
    }

    /** Its own name, as {@code hostname} gives it. */
    String shortName() {
        return TestHosts.JOB + "-worker-" + index;
    }

    /** The name by which the others find it. */
    String name() {
        return shortName() + "." + TestHosts.JOB;
    }

    String address() {
        return "10.77.0." + (10 + index);
    }

    /** Makes a command run here, in a directory of this host; it does not see other processes than this host's. */
    Invocation here(Invocation command, String directory) {
        return in(directory, command).behind(entering());
    }

    /** Makes a command run here as the first process of a container of its own, which has this host's network and files. */
    Invocation hereAsFirstProcess(Invocation command, String directory) {
        return in(directory, command)
                .behind("unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc")
                .behind(entering());
    }

    /** Runs a shell command here as root, and demands that it succeeds. */
    Result shell(String commands) {
        return here(scene.command("/bin/sh", "-c", commands).unset(Processes.TAG), "/")
                .run()
                .endedWith(0);
    }

    /** Runs a command without a shell: a shell does not pass on every variable. */
    private static Invocation in(String directory, Invocation command) {
        return command.behind("env", "--chdir=" + directory);
    }

    private String[] entering() {
        String target = Long.toString(first);
        return new String[] {"nsenter", "--target", target, "--mount", "--uts", "--ipc", "--net", "--pid"};
    }

    /** Starts a process that listens on ports of this host. */
    OnHost listen(int... ports) {
        String serve = "import socket, time; s = [socket.create_server(('', port)) for port in "
                + Arrays.toString(ports) + "]; print('up', flush=True); time.sleep(600)";
        return new OnHost(here(scene.command("python3", "-I", "-S", "-c", serve), "/")
                        .start())
                .awaitOutput("up");
    }

    /** A file of this host, as this JVM reaches it. */
    Path file(String absolute) {
        return Path.of("/proc/" + first + "/root" + absolute);
    }

    String read(String absolute) {
        return Scene.read(file(absolute));
    }

    /** Adds a line to this host's /etc/hosts. */
    void learns(String name, String address) {
        try {
            Files.writeString(file("/etc/hosts"), address + " " + name + "\n", StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Removes all lines with a name from this host's /etc/hosts. */
    void forgets(String name) {
        List<String> rest = read("/etc/hosts")
                .lines()
                .filter(line -> !List.of(line.split(" ", -1)).contains(name))
                .toList();
        Scene.write(file("/etc/hosts"), String.join("\n", rest) + "\n");
    }

    /** Drops all packets from and to this host silently. */
    void losesItsNetwork() {
        plug("nomaster");
    }

    void hasItsNetworkAgain() {
        plug("master", "bridge0");
    }

    /** Drops {@code percent} percent of the packets that this host sends. */
    void losesPackets(int percent) {
        shell("iptables -A OUTPUT -o eth0 -m statistic --mode random --probability 0.%02d -j DROP".formatted(percent));
    }

    /** Drops all packets between this host and another. */
    void doesNotReach(TestHost other) {
        reaches("-A", other);
    }

    void reachesAgain(TestHost other) {
        reaches("-D", other);
    }

    private void reaches(String how, TestHost other) {
        shell("iptables %1$s OUTPUT -d %2$s -j DROP && iptables %1$s INPUT -s %2$s -j DROP"
                .formatted(how, other.address()));
    }

    private void plug(String... how) {
        long switching = bridge.children().findFirst().orElseThrow().pid();
        scene.command("ip", "link", "set", "host" + index)
                .with(how)
                .behind("nsenter", "--target", Long.toString(switching), "--net")
                .run()
                .endedWith(0);
    }

    /** All processes but the first, as {@code pid (command line)}, with the pids of this host. */
    List<String> processes() {
        return Processes.in(file("/proc")).stream()
                .filter(process -> !process.startsWith("1 "))
                .toList();
    }

    /** Whether a program runs here. {@code name} is the kernel's name of it, without directory. */
    boolean runs(String name) {
        return Processes.names(file("/proc")).contains(name);
    }

    /** Makes the files that exist now expected ones. */
    void expectsFiles() {
        filesAtFirst = files();
    }

    /** Asserts that no process is left, and no file but the expected ones. */
    void assertNothingIsLeft() {
        Await.until(
                TO_VANISH,
                () -> "no process is left on " + shortName() + "; there are " + processes(),
                () -> processes().isEmpty());
        Set<String> more = files();
        more.removeAll(filesAtFirst);
        more.removeIf(file -> file.startsWith(LOGS));
        assertThat(more).as("files left on %s", shortName()).isEmpty();
    }

    /** Asserts that no port is open. */
    void assertNobodyListens() {
        // 0A in the fourth field is a listening socket.
        Result listeners = shell("awk '$4 == \"0A\"' /proc/net/tcp /proc/net/tcp6");
        assertThat(listeners.output())
                .as("sockets that listen on %s", shortName())
                .isEmpty();
    }

    /** The files and directories that belong to this host alone. */
    private Set<String> files() {
        Set<String> found = new TreeSet<>();
        for (String tree : OWN_TREES) {
            collect(file(tree), tree, found);
        }
        return found;
    }

    private void collect(Path directory, String name, Set<String> found) {
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                String below = name + "/" + entry.getFileName();
                // Skips files that all hosts share, and the directories on the way to them.
                if (!isShared(below)) {
                    found.add(below);
                    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        collect(entry, below, found);
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private boolean isShared(String path) {
        return Stream.of(scene.beside(""), Product.project(), scene.jdk().home())
                .anyMatch(shared -> shared.normalize().startsWith(path));
    }
}
