package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strangers connect to the leader's port: processes that are no launchers of the job. {@code src/test/link/peer.py} plays them. */
@Tag("repeated")
@ExtendWith(Scenes.class)
class LinkStrangersIT {

    private static final int NODES = 3;
    private static final int PORT = 24_100;
    private static final String SECRET = "correct horse battery staple";

    private static final Path PEER = Product.project().resolve("distribution/src/test/link/peer.py");

    /** How long a stranger stays connected to the leader. */
    private static final String SECONDS = Repetitions.isFull() ? "60" : "4";

    /** How long a stranger sends without a pause, which takes a whole core. */
    private static final String BUSY_SECONDS = Repetitions.isFull() ? "60" : "1";

    /** Connections: many more than the leader holds at a time. */
    private static final String CROWD = Repetitions.isFull() ? "10000" : "2000";

    /** Room for a heap that grows until it is collected, plus the most that one connection costs, times their number. */
    private static final long MORE_MEMORY_KIB = 40_000;

    private static LinkJob job(Scene scene, TestHosts hosts) {
        Components.require("python3");
        Path secret = scene.beside("secret");
        Scene.write(secret, SECRET + "\n");
        hosts.get(0).shell("chmod 600 " + secret + " && chown 1000 " + secret);
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "job")
                .with("--link", "required", "--link-port", Integer.toString(PORT))
                .with("--link-secret", secret.toString())
                .whereOne(1, "exit 3");
    }

    /** Does something to the leader from another host. */
    private static OnHost peer(Scene scene, LinkJob job, TestHost from, String deed, String secret, String... more) {
        return start(scene, job, from, job.host(0).address(), deed, secret, more);
    }

    private static OnHost start(
            Scene scene, LinkJob job, TestHost from, String address, String deed, String secret, String... more) {
        Invocation command = command(scene, job, address, deed, secret).with(more);
        return new OnHost(from.here(command, "/").start()).awaitOutput("ready");
    }

    private static Invocation command(Scene scene, LinkJob job, String address, String deed, String secret) {
        return scene.command("python3", PEER.toString(), deed, address, Integer.toString(PORT), job.id(), secret);
    }

    private static void assertEndsAsAlways(LinkJob job, OnHost... launchers) {
        job.go(1);
        job.end(3, launchers).forEach(result -> result.says("rank 1"));
    }

    @Test
    void whoDoesNotKnowTheKeyIsTurnedAway(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = job(scene, hosts).onTheFirst(2).startAll();
        long before = job.launched(0).peakMemoryKib();
        TestHost other = hosts.get(2);
        String wrongJob = "job-of-somebody-else";
        Invocation introduction = scene.command(
                "python3",
                PEER.toString(),
                "introduce",
                job.host(0).address(),
                Integer.toString(PORT),
                wrongJob,
                SECRET);
        assertThat(other.here(introduction, "/").run().endedWith(0).output()).contains("done job");
        peer(scene, job, other, "introduce", "wrong").awaitOutput("done key").await();
        List<OnHost> bothers = new ArrayList<>();
        bothers.add(peer(scene, job, other, "endless", SECRET, "1024").awaitOutput("done closed"));
        bothers.add(peer(scene, job, other, "noise", SECRET, BUSY_SECONDS));
        OnHost crowd = peer(scene, job, other, "silent", SECRET, CROWD).awaitOutput("done made");
        bothers.forEach(bother -> bother.await().endedWith(0));
        assertThat(job.allRun()).isTrue();
        assertThat(job.launched(0).peakMemoryKib() - before).as("KiB more").isLessThan(MORE_MEMORY_KIB);
        assertEndsAsAlways(job, job.launched(0), job.launched(1));
        crowd.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }

    /** An attacker between a member and the leader reads all messages and replays some. */
    @Test
    void whatWasSaidOnceCountsOnce(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = job(scene, hosts).onTheFirst(2).calls(0, "leader");
        TestHost between = hosts.get(2);
        hosts.get(0).learns("leader", hosts.get(0).address());
        hosts.get(1).learns("leader", between.address());
        OnHost relay = start(
                scene,
                job,
                between,
                between.address(),
                "relay",
                SECRET,
                hosts.get(0).address());
        job.startAll();
        relay.awaitOutput("replayed 5");
        assertThat(job.allRun()).isTrue();
        assertEndsAsAlways(job, job.launched(0), job.launched(1));
        relay.await();
        hosts.assertNothingIsLeft();
    }

    @Test
    void aMemberThatReadsNothingCostsNothing(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = job(scene, hosts).startOnly(0, 1);
        OnHost deaf = peer(scene, job, hosts.get(2), "deaf", SECRET, SECONDS);
        long before = job.launched(0).peakMemoryKib();
        assertThat(deaf.await().output()).contains("done kept");
        assertThat(job.launched(0).peakMemoryKib() - before).as("KiB more").isLessThan(MORE_MEMORY_KIB);
        OnHost again = peer(scene, job, hosts.get(2), "deaf", SECRET, "60");
        assertEndsAsAlways(job, job.launched(0), job.launched(1));
        again.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }

    @Test
    void aMemberOfAnotherVersionIsTold(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = job(scene, hosts).startOnly(0);
        Invocation old =
                command(scene, job, job.host(0).address(), "introduce", SECRET).set("PEER_VERSION", "0");
        OnHost peer = new OnHost(hosts.get(2).here(old, "/").start()).awaitOutput("done version 1");
        peer.await();
        job.end(78).forEach(result -> result.says("node-2 at ", "version 0", "version 1"));
        hosts.assertNothingIsLeft();
    }

    @Test
    void aLeaderOfAnotherVersionIsTold(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = job(scene, hosts);
        Invocation newer =
                command(scene, job, job.host(0).address(), "lead", SECRET).set("PEER_VERSION", "2");
        OnHost leader = new OnHost(hosts.get(0).here(newer, "/").start()).awaitOutput("ready");
        job.startOnly(1);
        job.end(78).forEach(result -> result.says("node-0 at ", "version 2", "version 1"));
        leader.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }
}
