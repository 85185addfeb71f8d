package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job of several servers. The test writes rank tables and the list of faults as MindX DL's controllers do. */
@Order(1)
@ExtendWith(Scenes.class)
class RecoveryOnHostsIT {

    private static final int HOSTS = 3;
    /** How long the launcher waits for a new table after a launcher was replaced. */
    private static final Duration FOR_THE_WRITER = Duration.ofSeconds(30);

    private final Scene scene;
    private final TestHosts hosts;
    private final Path notes;
    private final Path table;

    RecoveryOnHostsIT(Scene scene) throws IOException {
        this.scene = scene;
        this.hosts = TestHosts.in(scene, HOSTS);
        this.notes = Files.createDirectory(scene.beside("notes"));
        this.table = Files.createDirectory(scene.beside("config")).resolve("hccl.json");
        Files.setPosixFilePermissions(notes, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    @DisplayName("another server replaces a lost one in the next attempt; each server handles its own ranks' faults")
    void anotherServerTakesALostOnesPlaceAndAFaultOnItEndsTheRunOnAll() {
        Path resets = table.resolveSibling("reset.json");
        String[] faults = {"--reset-file", resets.toString()};
        Scene.write(resets, "{'RankList': []}");
        Scene.write(table, tableOf(1, 0, 1));
        OnHost first = launcher(0, faults);
        OnHost second = launcher(1, faults);
        await("run-1-rank-0-of-2-on-0", "run-1-rank-1-of-2-on-1");

        second.killJvm();
        Scene.write(table, "{\"status\": \"initializing\"}");
        second.await();
        first.awaitMessage("run 2 begins");
        String next = tableOf(2, 0, 2);
        Scene.write(table, next.substring(0, next.length() - 20));
        OnHost third = launcher(2, faults);
        Scene.write(table, next);
        await("run-2-rank-0-of-4-on-0", "run-2-rank-1-of-4-on-0", "run-2-rank-2-of-4-on-2", "run-2-rank-3-of-4-on-2");

        Scene.write(resets, "{'RankList': [{'RankId': 2, 'Status': 'unrecovered'}]}");
        first.awaitMessage("the platform lists a fault of rank 2 in " + resets);
        third.awaitMessage("lists rank 2 as not recovered");
        assertThat(notes.resolve("run-3-rank-0-of-4-on-0")).doesNotExist();
        Scene.write(resets, "{'RankList': [{'RankId': 2, 'Status': 'recovered'}]}");
        await("run-3-rank-0-of-4-on-0", "run-3-rank-1-of-4-on-0", "run-3-rank-2-of-4-on-2", "run-3-rank-3-of-4-on-2");

        Scene.write(notes.resolve("end"), "");
        List.of(first, third).forEach(launcher -> launcher.await().endedWith(0).says("after 3 runs"));
        assertThat(first.messages()).contains("node 1").doesNotContain("stopping 2 ranks: SIGKILL at once");
        assertThat(third.messages()).contains("stopping 2 ranks: SIGKILL at once");
        hosts.assertNothingIsLeft();
    }

    @Test
    @DisplayName(
            "a container that returns on its server uses the old table; one on another server waits for a new table")
    void aContainerComesBackInItsPlace() {
        Scene.write(table, tableOf(1, 0, 1));
        OnHost first = launcher(0);
        OnHost second = launcher(1);
        await("run-1-rank-0-of-2-on-0", "run-1-rank-1-of-2-on-1");

        second.killJvm();
        second.await();
        OnHost again = launcher(1);
        first.awaitMessage("has been replaced since");
        await(FOR_THE_WRITER.plus(Await.LONG), "run-2-rank-0-of-2-on-0");
        await("run-2-rank-1-of-2-on-1");

        again.killJvm();
        again.await();
        OnHost other = launcher(2);
        other.awaitMessage("leaves out this node");
        first.awaitMessage("has not come for the next one");
        Scene.write(table, tableOf(2, 2, 0));
        await("run-3-rank-0-of-4-on-2", "run-3-rank-2-of-4-on-0", "run-3-rank-3-of-4-on-0");
        Scene.write(notes.resolve("end"), "");
        List.of(first, other).forEach(launcher -> launcher.await().endedWith(0).says("after 3 runs"));
        assertThat(notes.resolve("run-3-rank-0-of-2-on-0")).doesNotExist();
        hosts.assertNothingIsLeft();
    }

    @Test
    @DisplayName("the next table may list the same servers in another order, with another first server")
    void serversMayChangePlacesInTheNextTable() {
        List<int[]> orders =
                List.of(new int[] {0, 1, 2}, new int[] {0, 2, 1}, new int[] {2, 0, 1}, new int[] {1, 0, 2});
        Scene.write(table, tableOf(1, orders.get(0)));
        List<OnHost> all = List.of(launcher(0), launcher(1), launcher(2));
        for (int run = 1; run <= orders.size(); run++) {
            for (int rank = 0; rank < HOSTS; rank++) {
                await("run-" + run + "-rank-" + rank + "-of-3-on-" + orders.get(run - 1)[rank]);
            }
            if (run < orders.size()) {
                Scene.write(table, tableOf(1, orders.get(run)));
                Scene.write(notes.resolve("fail-" + run + "-" + run % HOSTS), "");
            }
        }
        Scene.write(notes.resolve("end"), "");
        all.forEach(launcher -> launcher.await().endedWith(0).says("after 4 runs"));
        hosts.assertNothingIsLeft();
    }

    private static String tableOf(int cards, int... servers) {
        return RankTables.templateOne(IntStream.of(servers)
                .mapToObj(server -> RankTables.server(
                        "10.77.0." + (10 + server),
                        IntStream.range(0, cards)
                                .mapToObj(card -> card + " 10.79." + server + "." + (1 + card))
                                .toArray(String[]::new)))
                .toArray(RankTables.Pod[]::new));
    }

    private OnHost launcher(int host, String... options) {
        String rank = "cd " + notes + "; : > run-$MUSTER_RUN-rank-$RANK_ID-of-$RANK_SIZE-on-$HOST;"
                + " until [ -e end ]; do [ ! -e fail-$MUSTER_RUN-$RANK_ID ] || exit 3; sleep 0.05; done";
        Invocation launcher = scene.muster("--engine", "ascend", "--job-id", "next")
                .with("--rank-table", table.toString())
                .with("--log-dir", TestHost.LOGS, "--grace", "3s")
                .with("--restarts", "3")
                .with(options)
                .with("--", "/bin/sh", "-c", rank)
                .behind(TestHost.AS_USER)
                .set("HOST", Integer.toString(host))
                .set("XDL_IP", hosts.get(host).address())
                .set("HOME", TestHost.USER_HOME);
        return new OnHost(hosts.get(host).here(launcher, TestHost.USER_HOME).start());
    }

    private void await(String... names) {
        await(Await.LONG, names);
    }

    private void await(Duration limit, String... names) {
        for (String name : names) {
            Await.until(
                    limit,
                    () -> name + " is there, among " + Scene.tree(notes),
                    () -> Files.exists(notes.resolve(name)));
        }
    }
}
