package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SourceTest {

    @Test
    void aSubjectNamesItsFileOnce() {
        assertThat(Source.subject("rank-table", Path.of("/a/rank-table"))).isEqualTo("rank table /a/rank-table");
        assertThat(Source.subject("hostfile /a-b/c", Path.of("/a-b/c"))).isEqualTo("hostfile /a-b/c");
        assertThat(Source.subject("/etc/hosts", Path.of("/etc/hosts"))).isEqualTo("/etc/hosts");
    }
}
