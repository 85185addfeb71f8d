package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The first failure in time decides: its exit code, its rank. */
@Order(1)
@OnEveryEngine
class ExitCodesIT {

    static final class ExitCodesOfEngine implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            IntStream codes = Repetitions.isFull() ? IntStream.rangeClosed(0, 255) : IntStream.of(0, 1, 127, 255);
            EngineUnderTest engine = EngineInvocations.engine(context);
            return engine.cases(codes.boxed().toList()).stream().map(Arguments::of);
        }
    }

    @Tag("repeated")
    @ParameterizedTest
    @ArgumentsSource(ExitCodesOfEngine.class)
    void theExitCodeOfARankPassesUnchanged(int code, Scene scene) {
        int processes = scene.engine().atMost(3);
        int last = processes - 1;
        String rank =
                scene.script("rank", "[ $me = " + last + " ] && exit " + code, code == 0 ? "exit 0" : "exec sleep 600");
        Result result = scene.job(processes).with(rank).run().endedWith(code);
        if (code != 0) {
            result.says(scene.engine().process(last), Integer.toString(code));
        }
        assertThat(result(scene).get("exitCode").asInt()).isEqualTo(code);
    }

    static final class SignalsOfEngine implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            List<Arguments> signals = List.of(
                    Arguments.of("INT", 130),
                    Arguments.of("KILL", 137),
                    Arguments.of("SEGV", 139),
                    Arguments.of("TERM", 143));
            return EngineInvocations.engine(context).cases(signals).stream();
        }
    }

    @Tag("repeated")
    @ParameterizedTest
    @ArgumentsSource(SignalsOfEngine.class)
    void aRankThatASignalKillsGivesTheShellsCode(String signal, int code, Scene scene) {
        String rank = scene.script("rank", "ulimit -c 0", "[ $me = 1 ] && kill -s " + signal + " $$", "exec sleep 600");
        scene.job(2).with(rank).run().endedWith(code).says(scene.engine().process(1), "SIG" + signal);
    }

    @OnOneJdk
    void theFirstFailureStopsTheOthers(Scene scene) {
        int processes = scene.engine().atMost(4);
        String rank = scene.script(
                "rank",
                "trap 'echo saved > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "if [ $me = 1 ]; then",
                "  for n in $(seq 0 " + (processes - 1) + "); do",
                "    until [ -e $scene/ready-$n ]; do sleep 0.02; done",
                "  done",
                "  exit 3",
                "fi",
                "sleep 600 & wait");
        // mpirun gives its ranks one second to end, too short on a busy machine.
        scene.job(processes)
                .with(rank)
                .set("OMPI_MCA_odls_base_sigkill_timeout", "20")
                .run()
                .endedWith(3)
                .says(scene.engine().process(1), "exit 3");
        for (int index = 0; index < processes; index++) {
            assertThat(Files.exists(scene.beside("saved-" + index)))
                    .as("number %s was stopped", index)
                    .isEqualTo(index != 1);
        }
    }

    @Tag("repeated")
    @Test
    void aFailureAfterTheFirstOneChangesNothing(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap '' TERM",
                // While the launcher still starts ranks, it may see their ends in another order.
                "until [ -e $scene/go ]; do sleep 0.01; done",
                "if [ $me = 1 ]; then echo $$ > $scene/first.part; mv $scene/first.part $scene/first; exit 3; fi",
                "until [ -e $scene/first ]; do sleep 0.01; done",
                "first=/proc/$(cat $scene/first)/stat",
                "until ! grep -qv ') Z ' $first 2> /dev/null; do :; done",
                "sleep 0.02",
                "exit 4");
        for (int run = 0; run < scene.engine().repetitions(1); run++) {
            scene.beside("first").toFile().delete();
            scene.beside("go").toFile().delete();
            Launched launcher = scene.job(2).with(rank).start().awaitMessage("started ");
            Scene.write(scene.beside("go"), "");
            Result result = launcher.await().endedWith(3);
            assertThat(result.messages())
                    .containsPattern("exit 3: " + scene.engine().failing(1) + " ");
        }
    }

    @Test
    void ranksThatEndEarlyWithSuccessLetTheOthersRunOn(Scene scene) {
        int processes = scene.engine().atMost(3);
        String rank = scene.script(
                "rank",
                "if [ $me = " + (processes - 1) + " ]; then",
                "  echo $$ > $scene/early.part; mv $scene/early.part $scene/early; exit 0",
                "fi",
                "until [ -e $scene/go ]; do sleep 0.02; done");
        Launched launcher = scene.job(processes).with(rank).start();
        scene.awaitFiles("early");
        long early = Long.parseLong(Scene.read(scene.beside("early")).strip());
        Await.until("one has ended", () -> !Processes.isRunning(early));
        assertThat(launcher.isRunning()).isTrue();
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(0);
    }

    /** Kubeflow's {@code restartPolicy: ExitCode} restarts a pod only for exit codes from 128 on. */
    @Tag("repeated")
    @OnceForAll
    void whatIsTemporaryCanHaveACodeThatKubeflowStartsAgainFor(Scene scene) {
        String failing = scene.script("failing", "[ $me = 1 ] && exit $CODE", "exec sleep 600");
        scene.job(2, "--exit-codes", "kubeflow")
                .with(failing)
                .set("CODE", "75")
                .run()
                .endedWith(138);
        assertThat(result(scene).get("exitCode").asInt()).isEqualTo(138);
        scene.job(2, "--exit-codes", "kubeflow")
                .with(failing)
                .set("CODE", "78")
                .run()
                .endedWith(78);
    }

    @OnOneJdk
    void theResultForMachinesNamesTheCause(Scene scene) throws IOException {
        String rank = scene.script("rank", "echo something", "[ $me = 1 ] && kill -s SEGV $$", "exec sleep 600");
        scene.job(2).with(rank).run().endedWith(139);
        JsonNode result = result(scene);
        assertThat(result.get("jobId").asText()).isEqualTo(scene.jobId());
        assertThat(result.get("engine").asText()).isEqualTo(scene.engine().id());
        assertThat(result.get("exitCode").asInt()).isEqualTo(139);
        assertThat(result.get("reason").asText()).containsPattern(scene.engine().failing(1) + " .*SIGSEGV");
        JsonNode failed = process(result, result.get("exitCodeFrom").asText());
        assertThat(failed.get("log").asText()).isEqualTo(scene.log(1).toString());
        assertThat(failed.get("pid").asLong()).isPositive();
        assertThat(failed.get("bytesLogged").asLong()).isEqualTo(Files.size(scene.log(1)));
        // A rank that the launcher starts has its own log, which holds only its output.
        if (scene.engine().startsProcessesItself()) {
            assertThat(failed.get("signal").asInt()).isEqualTo(11);
            assertThat(failed.get("bytesLogged").asLong()).isEqualTo("something\n".length());
        }
        assertThat(failed.get("bytesLost").asLong()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(scene.resultFile())))
                .isEqualTo("rw-r-----");
    }

    private static JsonNode process(JsonNode result, String id) {
        for (JsonNode process : result.get("processes")) {
            if (process.get("id").asText().equals(id)) {
                return process;
            }
        }
        throw new AssertionError("no process " + id + " in " + result);
    }

    private static JsonNode result(Scene scene) {
        return Json.parse(Scene.read(scene.resultFile()));
    }
}
