package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whom launcher and warden know to be of the run. */
class KnownProcessesTest extends WardedProcesses {

    @Test
    void knowsWhoCarriesMarkerAndVariable() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sleep 600 & RANKED=1 sleep 600 & env -u MUSTER_JOB RANK=2 sleep 600 & wait");
            awaitProcesses(4);
            awaitPrograms("sleep", 3);

            assertThat(table.findCarriers(List.of("RANK", "SIZE")))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.process().parent()).isEqualTo(started.get(0));
                        assertThat(found.process().name()).isEqualTo("sleep");
                        assertThat(found.isLed()).isTrue();
                    });
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
        }
    }

    @DisplayName("3.4b a rank under mpirun that overwrites its environment is one all the same")
    @Test
    void knowsWhoDescendsFromARank() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sh -c 'env -i setsid /bin/sleep 600 & env -u RANK /bin/sleep 600 & wait' & wait");
            awaitPrograms("sleep", 2);
            List<ProcessTable.Carrier> found = table.findCarriers(List.of("RANK"));
            assertThat(found).extracting(carrier -> carrier.process().name()).containsExactly("sh", "sleep", "sleep");

            LiveProcess shell = found.get(0).process();
            ProcessHandle.of(shell.pid()).orElseThrow().destroyForcibly();

            await(() -> ProcessTable.hasEnded(shell.pid()));
            assertThat(table.findCarriers(List.of("RANK")))
                    .extracting(carrier -> carrier.process().name())
                    .containsExactly("sleep", "sleep");
        }
    }

    @Test
    void knowsWhatACarrierLeftBehind() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            adopt(warden, "RANK=0 sh -c 'sleep 600 & exit'; sleep 600 & wait");
            awaitProcesses(3);
            awaitPrograms("sleep", 2);

            assertThat(table.findCarriers(List.of("RANK")))
                    .singleElement()
                    .satisfies(found -> assertThat(found.isLed()).isFalse());
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
        }
    }

    @DisplayName("6.6 who descends from a carrier of the marker is ours, and stays ours when that one has ended")
    @Test
    void knowsWhoDescendsFromACarrier() throws Exception {
        Warden warden = warden(Duration.ofSeconds(5));
        adopt(warden, "setsid sh -c 'env -i setsid /bin/sleep 600 & wait' & wait");
        awaitProcesses(3);
        awaitPrograms("sleep", 1);
        LiveProcess child = table.find(started).stream()
                .filter(process -> process.name().equals("sleep"))
                .findFirst()
                .orElseThrow();

        ProcessHandle.of(child.parent()).orElseThrow().destroyForcibly();

        await(() -> ProcessTable.hasEnded(child.parent()));
        assertThat(table.find(started)).extracting(LiveProcess::pid).contains(child.pid());
        warden.lookAt(table);
        warden.close();
        assertThat(ProcessTable.isThere(child.pid(), child.id().start())).isFalse();
    }

    @DisplayName(
            "6.7 whom a rank has started that ended before anybody looked is ours by its session, without marker and parent")
    @Test
    void knowsTheSessionOfAnEndedLeader() throws Exception {
        Warden warden = warden(Duration.ofSeconds(5));
        Path go = directory.resolve("go");
        String script = "until [ -e " + go + " ]; do sleep 0.01; done; env -i /bin/sleep 600 & exit 3";
        CompletableFuture<Termination> end = start(warden, script);
        Files.createFile(go);
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.exited(3));

        awaitPrograms("sleep", 1);

        warden.lookAt(table);
        LiveProcess left = table.find(List.of()).get(0);
        warden.close();
        assertThat(ProcessTable.isThere(left.pid(), left.id().start())).isFalse();
    }
}
