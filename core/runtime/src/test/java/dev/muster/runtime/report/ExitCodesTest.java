package dev.muster.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExitCodesTest {

    private static final Launch LAUNCH =
            new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", "train.log");

    @Test
    void aRanksOwnCodePassesUnchanged() {
        for (ExitCodes codes : ExitCodes.values()) {
            for (int code = 1; code <= 255; code++) {
                boolean isRetried = codes == ExitCodes.KUBEFLOW && code == 75;
                assertThat(codes.of(failed(Termination.exited(code)))).isEqualTo(isRetried ? 138 : code);
            }
        }
    }

    @Test
    void kubeflowStartsAJobAgainForWhatWasTemporary() {
        assertThat(ExitCodes.KUBEFLOW.of(new Cause.Decided(75, "task 0 is lost")))
                .isEqualTo(138);
        assertThat(ExitCodes.KUBEFLOW.of(75)).isEqualTo(138);
        assertThat(ExitCodes.KUBEFLOW.of(78)).isEqualTo(78);
        assertThat(ExitCodes.KUBEFLOW.of(failed(Termination.signalled(9)))).isEqualTo(137);
        assertThat(ExitCodes.KUBEFLOW.of(new Cause.Interrupted(new ReceivedSignal("TERM", 15))))
                .isEqualTo(143);
        assertThat(ExitCodes.KUBEFLOW.of(new Cause.Success())).isZero();
        assertThat(ExitCodes.STANDARD.of(75)).isEqualTo(75);
        assertThat(ExitCodes.MODELARTS.of(75)).isEqualTo(75);
    }

    @Test
    void aSignalGives128AndMoreOrWhatModelArtsGives() {
        assertThat(ExitCodes.STANDARD.of(failed(Termination.signalled(9)))).isEqualTo(137);
        assertThat(ExitCodes.MODELARTS.of(failed(Termination.signalled(9)))).isEqualTo(247);
        assertThat(ExitCodes.MODELARTS.of(failed(Termination.signalled(11)))).isEqualTo(245);
    }

    @Test
    void aStoppedLauncherNamesTheSignal() {
        assertThat(ExitCodes.STANDARD.of(new Cause.Interrupted(new ReceivedSignal("TERM", 15))))
                .isEqualTo(143);
        assertThat(ExitCodes.STANDARD.of(new Cause.Interrupted(new ReceivedSignal("HUP", 1))))
                .isEqualTo(129);
        assertThat(ExitCodes.MODELARTS.of(new Cause.Interrupted(new ReceivedSignal("TERM", 15))))
                .isZero();
        assertThat(ExitCodes.MODELARTS.of(new Cause.Interrupted(new ReceivedSignal("INT", 2))))
                .isEqualTo(130);
    }

    @Test
    void anEndElsewhereIsTranslatedAsIfItHadHappenedHere() {
        Cause killed = elsewhere(JobEnd.Kind.FAILED, 137, OptionalInt.of(9));
        Cause stopped = elsewhere(JobEnd.Kind.STOPPED, 143, OptionalInt.of(15));
        Cause lost = elsewhere(JobEnd.Kind.LOST, 75, OptionalInt.empty());

        assertThat(ExitCodes.STANDARD.of(killed)).isEqualTo(137);
        assertThat(ExitCodes.MODELARTS.of(killed)).isEqualTo(247);
        assertThat(ExitCodes.STANDARD.of(stopped)).isEqualTo(143);
        assertThat(ExitCodes.MODELARTS.of(stopped)).isZero();
        assertThat(ExitCodes.STANDARD.of(lost)).isEqualTo(75);
        assertThat(ExitCodes.KUBEFLOW.of(lost)).isEqualTo(138);
    }

    private static Cause elsewhere(JobEnd.Kind kind, int code, OptionalInt signal) {
        return new Cause.Elsewhere(new JobEnd(
                kind,
                "node-1",
                Optional.empty(),
                code,
                signal,
                "it ended",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty()));
    }

    @Test
    void aStopThatBeganWithARankGivesWhatASignalToItGives() {
        Cause stop = new Cause.StoppedFromOutside(task(), 4711, Termination.signalled(15), Optional.empty());
        assertThat(ExitCodes.STANDARD.of(stop)).isEqualTo(143);
        assertThat(ExitCodes.MODELARTS.of(stop)).isEqualTo(241);
    }

    @Test
    void aServiceThatEndsTooSoonWithZeroIsNoSuccess() {
        ProcessSpec service = ProcessSpec.service("sshd", LAUNCH);

        assertThat(ExitCodes.STANDARD.of(new Cause.ProcessFailed(service, 1, Termination.exited(0), Optional.empty())))
                .isEqualTo(69);
    }

    @Test
    void successIsZeroAndADecisionIsItsCode() {
        assertThat(ExitCodes.STANDARD.of(new Cause.Success())).isZero();
        assertThat(ExitCodes.MODELARTS.of(new Cause.Decided(75, "task 0 is lost")))
                .isEqualTo(75);
    }

    private static ProcessSpec task() {
        return ProcessSpec.task("rank-0", LAUNCH);
    }

    private static Cause failed(Termination termination) {
        return new Cause.ProcessFailed(task(), 4711, termination, Optional.empty());
    }
}
