package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a warden does for its launcher. */
class WardenTest extends WardedProcesses {

    @Test
    void aSignalReachesTheWholeGroup() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);

            warden.signalGroups("TERM", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
            awaitProcesses(0);
        }
    }

    @Test
    void aSignalToAProcessLeavesItsChildrenAlone() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);

            warden.signalProcesses("USR1", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(10));
            awaitProcesses(1);
        }
    }

    @Test
    void aStoppedProcessIsWokenToEnd() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);
            warden.signalGroups("STOP", List.of());
            warden.signalProcesses("STOP", ids());

            warden.signalGroups("TERM", ids());

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
        }
    }

    @Test
    void aSignalRightAfterTheStartIsNotLost() throws Exception {
        for (int attempt = 0; attempt < 50; attempt++) {
            try (Warden warden = warden(Duration.ofSeconds(5))) {
                CompletableFuture<Termination> end = start(warden, "exec sleep 600");

                warden.signalGroups("TERM", List.of(id(started.get(attempt))));

                assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
                // Nobody is left that it would have to look for.
                warden.dismiss();
            }
        }
    }

    @DisplayName("2.33 a warden that stands still when the run is over does not stay")
    @Test
    void itEndsThoughItStandsStill() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            ProcessHandle shell = shell(warden);
            signal("STOP", shell);

            warden.dismiss();

            await(() -> !shell.isAlive());
        }
    }

    @DisplayName("4.12 whoever looks after a warden hears of its death at once, and not at the next look")
    @Test
    void itsDeathIsHeardOfAtOnce() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Boolean> dies = CompletableFuture.supplyAsync(() -> warden.dies(Duration.ofHours(1)));

            shell(warden).destroyForcibly();

            assertThat(dies.get(20, TimeUnit.SECONDS)).isTrue();
            warden.check();
            assertThat(warnings).singleElement().asString().contains("another one has taken over");
        }
    }

    @Test
    void itIsReplacedWhenItIsKilled() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            CompletableFuture<Termination> end = start(warden, OBEDIENT);
            awaitProcesses(2);
            shell(warden).destroyForcibly();

            await(() -> {
                warden.check();
                return !warnings.isEmpty();
            });

            assertThat(warnings).singleElement().asString().contains("another one has taken over");
            assertThat(shells).hasSize(2).last().isEqualTo(warden.identity().orElseThrow());
            warden.signalGroups("TERM", ids());
            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Termination.signalled(15));
        }
    }

    @DisplayName(
            "4.22 a warden that is killed while it signals is replaced by one that goes on behind what it has done")
    @Test
    void aWardenThatIsKilledInTheMiddleLetsNobodyHearTwice() throws Exception {
        try (Warden warden = warden(Duration.ofSeconds(5))) {
            for (int rank = 0; rank < 40; rank++) {
                adopt(warden, "trap 'echo heard >> heard." + rank + "' ALRM; : > up." + rank + "; " + LOOP);
            }
            await(() -> count("up.") == 40);
            List<ProcessId> withItself =
                    new ArrayList<>(started.stream().map(WardedProcesses::id).toList());
            // It sends the signal to itself, too, and does not ignore this one.
            withItself.add(11, warden.identity().orElseThrow());

            warden.signalGroups("ALRM", withItself);

            await(() -> heard() == 40);
            warden.signalGroups("KILL", ids());
            awaitProcesses(0);
            assertThat(warnings).singleElement().asString().contains("was killed; another one has taken over");
            for (int rank = 0; rank < 40; rank++) {
                assertThat(directory.resolve("heard." + rank))
                        .as("rank %d", rank)
                        .hasContent("heard");
            }
        }
    }

    /** How many have finished their words. */
    private long heard() {
        return IntStream.range(0, 40)
                .filter(rank -> directory.resolve("heard." + rank).toFile().length() > 0)
                .count();
    }
}
