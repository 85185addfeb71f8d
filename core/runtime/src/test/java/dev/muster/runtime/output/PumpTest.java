package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PumpTest {

    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final List<String> warnings = new ArrayList<>();

    @Test
    @Timeout(10)
    void nobodyWaitsForAThreadThatCouldNotBeMade() throws Exception {
        Pump pump = new Pump(warnings::add, work -> {
            throw new OutOfMemoryError("unable to create native thread");
        });

        assertThatThrownBy(() -> pump.add(output(pump))).isInstanceOf(OutOfMemoryError.class);

        assertThat(pump.stop(LONG, LONG)).isEmpty();
        assertThat(warnings).isEmpty();
    }

    private static ProcessOutput output(Pump pump) throws IOException {
        Console console = Console.onto(System.out, System.err);
        StreamSpec spec = new StreamSpec("rank-0", "rank 0", "[rank 0] ", Optional.empty());
        return new ProcessOutput(
                spec,
                OutputPipe.open(new PipeDescriptors(() -> Path.of("/tmp"))),
                pump,
                null,
                new LineFormatter(spec.prefix(), new LineBatch(console)));
    }
}
