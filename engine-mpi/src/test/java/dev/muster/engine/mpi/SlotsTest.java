package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlanException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {

    @Test
    void areOneWhereThereIsNoAccelerator() {
        for (String none : List.of("0", "")) {
            assertThat(ranks(new TestJob().variable("MY_MPI_SLOTS", none))).isEqualTo("1");
        }
    }

    @Test
    void thatAreNoNumberAreRefused() {
        new TestJob()
                .variable("MY_MPI_SLOTS", "two")
                .assertRefused(Kind.CONFIGURATION, "MY_MPI_SLOTS=\"two\"", "0..4096");
        new TestJob().option("slots", "9999").assertRefused(Kind.USAGE, "--slots=\"9999\"");
    }

    private static String ranks(TestJob job) {
        return Plans.after(job.plan(), "-np").get(0);
    }
}
