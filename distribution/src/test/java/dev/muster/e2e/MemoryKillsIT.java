package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How Muster reports that the kernel has killed a process because memory ran out. */
@OnEveryEngine(services = false)
class MemoryKillsIT {

    private static final long LIMIT = 48L << 20;
    private static final String EAT = "python3 -c 'x = b\"x\" * (200 << 20)'";
    private static final String OTHERS = "[ $me = 1 ] || exec sleep 600";

    @DisplayName("a rank that the kernel kills for memory: the verdict has the count, the limit and the rank")
    @Test
    void aRankIsKilled(Scene scene) throws IOException {
        try (MemoryGroup group = MemoryGroup.make(scene, LIMIT)) {
            Result result = scene.job(2)
                    .with(scene.script("rank", OTHERS, group.enterLimited(), "exec " + EAT))
                    .after(group.enter())
                    .run()
                    .endedWith(137)
                    .says(
                            "SIGKILL",
                            "the kernel killed 1 process of this container for memory during the run; this fits",
                            "memory limit 48 MiB",
                            scene.tag() + "/rank/memory.");
            assertThat(result.messages())
                    .containsPattern("exit 137: " + scene.engine().failing(1));
            JsonNode memory = Json.parse(Scene.read(scene.resultFile())).get("memory");
            assertThat(memory.get("killed").asInt()).isEqualTo(1);
            assertThat(memory.get("limitBytes").asLong()).isEqualTo(LIMIT);
            assertThat(memory.get("limitFile").asText()).contains(scene.tag());
        }
    }

    @DisplayName("a rank that fails because the kernel kills its child for memory: the verdict says so")
    @Tag("repeated")
    @OnceForAll
    void aChildIsKilled(Scene scene) throws IOException {
        try (MemoryGroup group = MemoryGroup.make(scene, LIMIT)) {
            scene.job(2)
                    .with(scene.script("rank", OTHERS, "(" + group.enterLimited() + "; exec " + EAT + ")", "exit 3"))
                    .after(group.enter())
                    .run()
                    .endedWith(3)
                    .says("the kernel killed 1 process of this container", "a child of this process", "48 MiB")
                    .doesNotSay("this fits");
        }
    }

    @DisplayName("a rank that was killed, but not for memory: the verdict sees no sign of the kernel's memory killer")
    @Tag("repeated")
    @OnceForAll
    void somebodyElseKills(Scene scene) throws IOException {
        try (MemoryGroup group = MemoryGroup.make(scene, LIMIT)) {
            scene.job(2)
                    .with(scene.script("rank", OTHERS, "kill -KILL $$"))
                    .after(group.enter())
                    .run()
                    .endedWith(137)
                    .says("no sign of the kernel's memory killer")
                    .doesNotSay("the kernel killed");
            assertThat(Json.parse(Scene.read(scene.resultFile()))
                            .at("/memory/killed")
                            .asInt(-1))
                    .isZero();
        }
    }

    @DisplayName("a job that succeeded although the kernel killed a helper says so")
    @Tag("repeated")
    @OnceForAll
    void aSuccessTellsWhatWasLost(Scene scene) throws IOException {
        try (MemoryGroup group = MemoryGroup.make(scene, LIMIT)) {
            scene.job(1)
                    .with(scene.script("rank", "(" + group.enterLimited() + "; exec " + EAT + ")", "exit 0"))
                    .after(group.enter())
                    .run()
                    .endedWith(0)
                    .says("muster: the kernel killed 1 process of this container for memory during the run");
        }
    }
}
