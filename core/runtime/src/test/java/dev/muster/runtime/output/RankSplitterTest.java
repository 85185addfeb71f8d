package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankSplitterTest {

    private static final String TAG = "\\[1,(?<rank>[0-9]+)\\]<std(?:out|err)>:";

    /** What an mpirun of Open MPI 4 has made of two ranks, with its own words between. */
    private static final String PRINTED =
            "[1,0]<stdout>:a0[1,1]<stderr>:a1[1,1]<stdout>:b1\n[1,1]<stdout>:x\r\u00ff\u0000y [1\n"
                    + "[1,1]<stdout>:\n[1,1]<stdout>:  z[1,0]<stdout>:b0\n---\nPrimary job\n[1,0]<stdout>:50%\r100%\r[1,1]<stdout>:end";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1000})
    void eachRankHasItsBytesHoweverTheyCome(int atOnce) {
        Map<Integer, ByteArrayOutputStream> said = new TreeMap<>();
        RankSplitter splitter = new RankSplitter(
                TAG,
                (rank, bytes, count) -> said.computeIfAbsent(rank.orElse(-1), any -> new ByteArrayOutputStream())
                        .write(bytes, 0, count));
        byte[] printed = PRINTED.getBytes(StandardCharsets.ISO_8859_1);
        for (int from = 0; from < printed.length; from += atOnce) {
            byte[] part = Arrays.copyOfRange(printed, from, Math.min(printed.length, from + atOnce));
            splitter.accept(part, part.length);
        }
        splitter.finish();

        assertThat(text(said, 0)).isEqualTo("a0b0\n50%\r100%\r");
        assertThat(text(said, 1)).isEqualTo("a1b1\nx\r\u00ff\u0000y [1\n\n  zend");
        assertThat(text(said, -1)).isEqualTo("---\nPrimary job\n");
    }

    private static String text(Map<Integer, ByteArrayOutputStream> said, int rank) {
        return Objects.requireNonNull(said.get(rank)).toString(StandardCharsets.ISO_8859_1);
    }
}
