package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Behaviour of the test hosts on which other tests rely. */
@ExtendWith(Scenes.class)
class TestHostsIT {

    private static OnHost start(Scene scene, TestHost host, String commands) {
        return new OnHost(
                host.here(scene.command("/bin/sh", "-c", commands), "/").start());
    }

    private static boolean reaches(TestHost from, TestHost to, Scene scene) {
        String connect = "import socket, sys; socket.create_connection((sys.argv[1], 7000), 0.3)";
        return from.here(scene.command("python3", "-c", connect, to.address()), "/")
                        .run()
                        .exitCode()
                == 0;
    }

    @Test
    void hostsHaveTheirOwnNamesAddressesFilesAndProcesses(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 3);
        String facts =
                "hostname; getent hosts job-e2e-worker-2.job-e2e | cut -d' ' -f1; hostname > /tmp/name; cat /run/name";
        Scene.write(hosts.get(1).file("/run/name"), "one\n");
        Result result = hosts.get(1).shell(facts);
        assertThat(result.outputLines()).containsExactly("job-e2e-worker-1", "10.77.0.12", "one");
        assertThat(hosts.get(1).read("/tmp/name")).isEqualTo("job-e2e-worker-1\n");
        assertThat(hosts.get(0).file("/tmp/name")).doesNotExist();
        assertThat(hosts.all().map(TestHost::processes)).containsOnly(List.of());
    }

    @Test
    void aHostCanLoseItsNetworkAndGetItBack(Scene scene) {
        Components.require("python3");
        TestHosts hosts = TestHosts.in(scene, 3);
        hosts.get(1).listen(7000);
        assertThat(reaches(hosts.get(0), hosts.get(1), scene)).isTrue();
        hosts.get(1).losesItsNetwork();
        assertThat(reaches(hosts.get(0), hosts.get(1), scene)).isFalse();
        assertThat(reaches(hosts.get(1), hosts.get(1), scene)).isTrue();
        hosts.get(1).hasItsNetworkAgain();
        assertThat(reaches(hosts.get(0), hosts.get(1), scene)).isTrue();
        hosts.close();
    }

    @Test
    void namesComeAndGo(Scene scene) {
        TestHost host = TestHosts.in(scene, 1).get(0);
        host.learns("late", "10.77.0.99");
        assertThat(host.shell("getent hosts late").output()).contains("10.77.0.99");
        host.forgets("late");
        assertThat(host.shell("getent hosts late || echo none").output()).isEqualTo("none\n");
    }

    @Test
    void whatIsLeftOnAHostIsFound(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        hosts.assertNothingIsLeft();
        hosts.get(1).shell("echo > /home/ma-user/left");
        assertThatThrownBy(hosts::assertNothingIsLeft).hasMessageContaining("/home/ma-user/left");
        hosts.get(1).shell("rm /home/ma-user/left");
        OnHost left = start(scene, hosts.get(0), "echo here; exec sleep 600").awaitOutput("here");
        // The shell prints its line before it becomes sleep.
        Await.until("sleep runs there", () -> hosts.get(0).runs("sleep"));
        left.signal("KILL");
        assertThat(left.await().exitCode()).isEqualTo(137);
        hosts.assertNothingIsLeft();
    }

    @Test
    void aCommandCanBeTheFirstProcessOfItsContainer(Scene scene) {
        TestHost host = TestHosts.in(scene, 1).get(0);
        String first = "trap 'exit 7' TERM; echo $$; sleep 600 & wait";
        OnHost container = new OnHost(host.hereAsFirstProcess(scene.command("/bin/sh", "-c", first), "/")
                .start());
        container.awaitOutput("1\n").signal("TERM");
        assertThat(container.await().exitCode()).isEqualTo(7);
        host.assertNothingIsLeft();
    }

    @Test
    void hostsGoAwayWithWhoeverMadeThem(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        OnHost busy = start(scene, hosts.get(0), "trap '' TERM HUP; while :; do sleep 1; done");
        hosts.close();
        assertThat(busy.await().exitCode()).isNotZero();
        assertThat(hosts.get(1).file("/tmp")).doesNotExist();
    }
}
