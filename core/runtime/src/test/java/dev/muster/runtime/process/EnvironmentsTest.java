package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnvironmentsTest {

    private final RunMarker marker = RunMarker.random();

    @Test
    @DisplayName("who carries the marker is ours, unless it is older than anybody who can")
    void onlyWhoIsYoungEnoughIsLookedAt() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("/bin/cat"));
        builder.environment().put(RunMarker.VARIABLE, marker.value());
        Process carrier = builder.start();
        try (OutputStream itsInput = carrier.getOutputStream()) {
            // What it gives back it does as the program that has the marker.
            itsInput.write('x');
            itsInput.flush();
            assertThat(carrier.getInputStream().read()).isEqualTo('x');
            LiveProcess process = ProcFiles.process(carrier.pid()).orElseThrow();
            long start = process.id().start();

            assertThat(new Environments(marker, 0).kind(process)).isEqualTo(Environments.Kind.MARKED);
            assertThat(new Environments(marker, start).kind(process)).isEqualTo(Environments.Kind.MARKED);
            assertThat(new Environments(marker, start + 1).kind(process)).isEqualTo(Environments.Kind.UNMARKED);
            assertThat(ProcFiles.ownStart()).isBetween(1L, start);
        } finally {
            carrier.destroyForcibly();
        }
    }
}
