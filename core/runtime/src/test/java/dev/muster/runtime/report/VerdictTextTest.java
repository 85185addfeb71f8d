package dev.muster.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class VerdictTextTest {

    @Test
    void aFailureNamesRankPidCodeAndLog() {
        ProcessReport rank = report(3, Termination.exited(42), false);
        Verdict verdict = verdict(
                new Cause.ProcessFailed(rank.spec(), rank.pid(), Termination.exited(42), Optional.empty()), rank);

        assertThat(VerdictText.lines(verdict, 42, Map.of("rank-3", log("/logs/3.txt"))))
                .containsExactly(
                        "exit 42: rank 3 (pid 103) ended with exit code 42 after 1.0 s; its log is /logs/3.txt");
    }

    @Test
    void whoFailedTooIsNamedAndWhomWeStoppedIsNot() {
        ProcessReport first = report(0, Termination.exited(3), false);
        Verdict verdict = verdict(
                new Cause.ProcessFailed(first.spec(), first.pid(), Termination.exited(3), Optional.empty()),
                first,
                report(1, Termination.signalled(11), false),
                report(2, Termination.signalled(15), true));

        assertThat(VerdictText.lines(verdict, 3, Map.of()))
                .containsExactly(
                        "at the same time: rank 1 (pid 101) failed too: SIGSEGV (exit code 139)",
                        "exit 3: rank 0 (pid 100) ended with exit code 3 after 1.0 s");
    }

    @Test
    void whoFailedClearlyLaterIsNotSaidToHaveDoneSoAtTheSameTime() {
        ProcessReport first = report(0, Termination.exited(3), false).after(Duration.ofMillis(20));
        Verdict verdict = verdict(
                new Cause.ProcessFailed(first.spec(), first.pid(), Termination.exited(3), Optional.empty()),
                first,
                report(1, Termination.signalled(29), false));

        assertThat(VerdictText.lines(verdict, 3, Map.of()))
                .startsWith("rank 1 (pid 101) failed too: SIGIO (exit code 157)");
    }

    @Test
    void aStopThatBeganWithARankNamesItAndWhoFailedInIt() {
        ProcessReport first = report(0, Termination.signalled(15), false);
        Cause stop =
                new Cause.StoppedFromOutside(first.spec(), first.pid(), Termination.signalled(15), Optional.empty());
        Verdict verdict = verdict(stop, first, report(1, Termination.exited(3), false));

        assertThat(VerdictText.lines(verdict, 143, Map.of("rank-0", log("/logs/0.txt"))))
                .containsExactly(
                        "at the same time: rank 1 (pid 101) failed too: exit code 3",
                        "exit 143: rank 0 (pid 100) ended with SIGTERM (exit code 143) after 1.0 s; the launcher had"
                                + " not sent this SIGTERM, so the job was stopped; its log is /logs/0.txt");
    }

    @Test
    void aSingleProcessWithoutARankIsCalledByItsId() {
        ProcessReport worker = new ProcessReport(
                task("worker-0"),
                7,
                Optional.of(Termination.exited(0)),
                false,
                false,
                Duration.ZERO,
                Duration.ZERO,
                false,
                Optional.empty());

        assertThat(VerdictText.lines(verdict(new Cause.Success(), worker), 0, Map.of()))
                .containsExactly("exit 0: worker-0 succeeded after 1.2 s");
    }

    @Test
    void aStopTellsWhenItCameAndHowLongItTook() {
        ProcessReport ps = report(0, Termination.exited(0), true).after(Duration.ofSeconds(5));
        Verdict verdict = new Verdict(
                Optional.of("ps-0"),
                new Cause.Interrupted(new ReceivedSignal("TERM", 15)),
                List.of(ps),
                Duration.ofSeconds(1),
                Duration.ofMillis(5_500),
                JobReport.NONE);

        assertThat(VerdictText.lines(verdict, 143, Map.of()))
                .contains("exit 143: ps-0 was stopped by SIGTERM after 0.5 s; the stop took 5.5 s");
    }

    @Test
    void whatEndsAfterTheOutcomeIsKnownHasNotFailedToo() {
        ProcessReport ps = new ProcessReport(
                task("ps-0"),
                7,
                Optional.of(Termination.exited(1)),
                false,
                true,
                Duration.ZERO,
                Duration.ZERO,
                false,
                Optional.empty());

        assertThat(VerdictText.lines(verdict(new Cause.Decided(0, "the workers are done"), ps), 0, Map.of()))
                .containsExactly("exit 0: the workers are done");
    }

    @Test
    void anEndElsewhereNamesItsNode() {
        JobEnd origin = failed("node-1", "gpu2", 3);
        JobReport job = new JobReport(Optional.of("node-0"), Optional.of(origin), new LinkReport(List.of()), 0);
        Verdict verdict = new Verdict(
                Optional.empty(),
                new Cause.Elsewhere(origin),
                List.of(report(0, Termination.exited(1), false)),
                Duration.ofSeconds(2),
                Duration.ZERO,
                job);

        assertThat(VerdictText.lines(verdict, 3, Map.of()))
                .containsExactly(
                        "rank 0 (pid 100) failed too: exit code 1",
                        "exit 3: node 1 (gpu2): rank 4 (pid 71) ended with exit code 3 after 0.2 s; its log is"
                                + " /logs/rank-4.txt on that node");
    }

    private static JobEnd failed(String launcher, String host, int code) {
        return new JobEnd(
                JobEnd.Kind.FAILED,
                launcher,
                Optional.of(host),
                code,
                OptionalInt.empty(),
                "rank 4 (pid 71) ended with exit code " + code + " after 0.2 s",
                Optional.of("rank-4"),
                OptionalInt.of(4),
                OptionalLong.of(71),
                Optional.of("/logs/rank-4.txt"),
                OptionalLong.empty());
    }

    private static ProcessSpec task(String id) {
        return ProcessSpec.task(id, new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", id + ".log"));
    }

    private static Verdict verdict(Cause cause, ProcessReport... processes) {
        return new Verdict(
                Optional.empty(), cause, List.of(processes), Duration.ofMillis(1234), Duration.ZERO, JobReport.NONE);
    }

    private static LogReport log(String path) {
        return new LogReport(Optional.of(Path.of(path)), 10, 0, () -> "");
    }

    private static ProcessReport report(int rank, Termination termination, boolean stoppedByUs) {
        ProcessSpec task = ProcessSpec.task(
                        "rank-" + rank,
                        new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", "train.log"))
                .withPlacement(new RankInfo(rank, rank, Math.max(4, rank + 1)));
        return new ProcessReport(
                task,
                100 + rank,
                Optional.of(termination),
                stoppedByUs,
                false,
                Duration.ofSeconds(1),
                Duration.ZERO,
                false,
                Optional.empty());
    }
}
