package dev.muster.runtime.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DaemonTest {

    @Test
    void aThreadHasItsNameAndKeepsNobodyFromEnding() {
        Thread thread = Daemon.named("some").newThread(() -> {});

        assertThat(thread.getName()).isEqualTo("some");
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void whatNoThreadCatchesIsTold() throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        Daemon.setHandler(Optional.of((name, thrown) -> told.complete(name + ": " + thrown.getMessage())));
        try {
            Daemon.start("broken", () -> {
                throw new StackOverflowError("too deep");
            });
            assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo("broken: too deep");
        } finally {
            Daemon.setHandler(Optional.empty());
        }
    }
}
