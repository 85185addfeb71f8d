package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stops of jobs under the real torchrun. torchrun alone sends its ranks a second SIGTERM, and SIGKILL 30 s later. */
@ExtendWith(Scenes.class)
class TorchrunStopIT {

    /** Rank 1 overwrites its environment in /proc, so Muster must know its variables from before. */
    private static final String STUBBORN = """
            import os, signal, sys, time
            scene, rank = sys.argv[1], os.environ['RANK']
            def on_term(signal, frame):
                with open(f'{scene}/told-{rank}', 'a') as file:
                    file.write('TERM\\n')
            signal.signal(signal.SIGTERM, on_term)
            time.sleep(1.5)  # until the launcher has looked; programs load their libraries meanwhile
            if rank == '1':
                fields = open('/proc/self/stat').read().rsplit(')', 1)[1].split()
                start, end = int(fields[47]), int(fields[48])
                with open('/proc/self/mem', 'r+b', 0) as memory:  # as setproctitle does it
                    memory.seek(start)
                    memory.write(b'x' * (end - start))
            open(f'{scene}/ready-{rank}', 'w').close()
            while True:
                time.sleep(600)
            """;

    @DisplayName("ranks of torchrun that ignore SIGTERM get it once, and SIGKILL after the grace")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stubbornRanksOfTorchrunHearOnce(boolean isJvmKilled, Scene scene) {
        Components.requireTorch();
        Scene.write(scene.beside("stubborn.py"), STUBBORN);
        Launched launcher = scene.apart(
                        scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId())
                                .with("-o", "processes=torchrun", "--cards", "2", "--grace", "4s", "--")
                                .with(scene.script("rank", "exec python3 $scene/stubborn.py $scene"))
                                .set("TMPDIR", scene.directory().toString()))
                .start();
        scene.awaitFiles("ready-0", "ready-1");
        if (isJvmKilled) {
            launcher.killJvm();
            launcher.await().endedWith(70);
        } else {
            launcher.signal("TERM").await().endedWith(143).says("SIGKILL to 5 processes under torchrun");
        }
        assertThat(scene.beside("told-0")).hasContent("TERM");
        assertThat(scene.beside("told-1")).hasContent("TERM");
        scene.assertNothingIsLeft();
    }

    /** Rank 0 saves for longer than torchrun needs to notice that rank 1 has ended. A second SIGTERM ends rank 0 at once. */
    private static final String SAVING = """
            import os, signal, sys, time
            scene, rank = sys.argv[1], os.environ['RANK']
            told = []
            signal.signal(signal.SIGTERM, (lambda *_: told.append(1)) if rank == '0' else signal.SIG_DFL)
            open(f'{scene}/ready-{rank}', 'w').close()
            while not told:
                time.sleep(0.01)
            until = time.monotonic() + 1.5
            while time.monotonic() < until and len(told) == 1:
                time.sleep(0.01)
            with open(f'{scene}/saved', 'w') as file:
                file.write(f'told {len(told)}')
            """;

    @DisplayName("when a rank of torchrun ends at once, the others have the grace, and get SIGTERM once")
    @Test
    void ranksOfTorchrunHaveTheirGrace(Scene scene) {
        Components.requireTorch();
        Scene.write(scene.beside("saving.py"), SAVING);
        Launched launcher = scene.apart(
                        scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId())
                                .with("-o", "processes=torchrun", "--cards", "2", "--grace", "30s", "--")
                                .with(scene.script("rank", "exec python3 $scene/saving.py $scene")))
                .start();
        scene.awaitFiles("ready-0", "ready-1");
        launcher.signal("TERM").await(Training.LONG).endedWith(143).doesNotSay("SIGKILL");
        assertThat(scene.beside("saved")).hasContent("told 1");
        scene.assertNothingIsLeft();
    }
}
