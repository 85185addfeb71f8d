package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who is written down as the guard, for launchers that come later. */
class GuardIdentityTest {

    private final long parent = ProcessHandle.current().parent().orElseThrow().pid();

    @Test
    void theParentIsTheGuard() {
        assertThat(Guard.identity(parent, parent))
                .isEqualTo(ProcessTable.identify(parent).orElseThrow());
    }

    @Test
    @DisplayName(
            "13.2 a guard that was killed before the launcher could look is dead, and not process 1, which has its child now")
    void aDeadGuardIsNobody() {
        ProcessId dead = Guard.identity(4_194_303, parent);
        assertThat(dead.pid()).isEqualTo(4_194_303);
        assertThat(ProcessTable.isThere(dead.pid(), dead.start())).isFalse();
        ProcessId reused = Guard.identity(ProcessHandle.current().pid(), parent);
        assertThat(ProcessTable.isThere(reused.pid(), reused.start())).isFalse();
    }
}
