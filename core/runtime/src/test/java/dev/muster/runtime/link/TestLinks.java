package dev.muster.runtime.link;

import dev.muster.runtime.ports.TestPorts;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.LauncherNodes.Peer;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Links of one job on this machine, with parties that record events. */
final class TestLinks implements AutoCloseable {

    private static final int LIMIT_SECONDS = 60;

    /** The warnings of all links to their users. */
    final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();

    final List<Integer> ports = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    String jobId = "job-1";
    LinkKey key = known("a secret");
    boolean required;
    Duration lostAfter = Duration.ofSeconds(60);
    Optional<Host> leaderHost = Optional.of(Host.of("localhost", Optional.of("127.0.0.1")));
    int nodes = 3;
    Optional<LinkRun> run = Optional.empty();

    TestLinks() {
        this(1);
    }

    /** Links with so many free ports. */
    TestLinks(int count) {
        for (int port = 0; port < count; port++) {
            ports.add(TestPorts.free());
        }
    }

    static LinkKey known(String secret) {
        return LinkKey.known(secret.getBytes(StandardCharsets.UTF_8), "--link-secret");
    }

    /** Starts the link of node {@code index}, and returns its party. */
    ScriptedParty open(int index) {
        return open(index, System::nanoTime);
    }

    /** Starts the link with another clock. */
    ScriptedParty open(int index, LongSupplier clock) {
        ScriptedParty party = new ScriptedParty();
        links.add(LinkThread.start(
                settings(index), (settings, log, now) -> party, clock, new LinkLog(line -> {}, warnings::add)));
        return party;
    }

    Link link(int index) {
        return links.get(index);
    }

    LinkSettings settings(int index) {
        List<Peer> peers = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            peers.add(new Peer(
                    "node-" + node,
                    node == 0 ? leaderHost : Optional.of(Host.of("host" + node, Optional.of("127.0.0.1")))));
        }
        LinkSettings settings = new LinkSettings(
                jobId,
                LauncherNodes.of("node-" + index, "node-0", peers),
                required,
                false,
                key,
                List.copyOf(ports),
                lostAfter,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                LinkRun.first(0));
        return run.map(settings::with).orElse(settings);
    }

    InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    /** The next warning of any link that contains this text. */
    String warning(String part) throws InterruptedException {
        List<String> others = new ArrayList<>();
        while (true) {
            String next = warnings.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no line with \"" + part + "\" among " + others);
            }
            if (next.contains(part)) {
                return next;
            }
            others.add(next);
        }
    }

    @Override
    public void close() {
        links.forEach(Link::close);
    }
}
