package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GuestProcessesTest {

    private static final String WAIT = "echo ready; read -r";

    @Test
    @DisplayName(
            "8.8 who has emptied its environment is a guest; the warden is none, nor when it ends meanwhile and has no environment any more")
    void theWardenIsNoGuestWhileItEnds() throws IOException, InterruptedException {
        Process guest = start("exec env -i bash -c '" + WAIT + "'", "E2E_GUEST");
        Process warden = start(WAIT, "MUSTER_WARDEN");
        try {
            List<LiveProcess> both = List.of(look(guest), look(warden));
            assertThat(find(both)).containsExactly(guest.pid());

            warden.getOutputStream().close();
            warden.waitFor();
            assertThat(find(both)).containsExactly(guest.pid());
        } finally {
            guest.destroyForcibly();
            warden.destroyForcibly();
        }
    }

    private static List<Long> find(List<LiveProcess> all) {
        return new GuestProcesses(Optional.empty(), said -> {}, System::nanoTime)
                .find(all).stream().map(LiveProcess::pid).toList();
    }

    private static LiveProcess look(Process process) {
        return ProcFiles.process(process.pid()).orElseThrow();
    }

    /** Once it prints it is the program that it becomes. */
    private static Process start(String script, String variable) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script);
        builder.environment().put(variable, "1");
        Process process = builder.start();
        assertThat(process.getInputStream().read()).isEqualTo('r');
        return process;
    }
}
