package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.link.LinkRun;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.runs.RunCount;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobLinkTest {

    private static final JobEnd HERE =
            JobEnd.of(JobEnd.Kind.REFUSED, "node-1", Optional.empty(), 78, "no such directory");
    private static final JobEnd THERE = JobEnd.of(JobEnd.Kind.REFUSED, "node-0", Optional.empty(), 65, "a wrong table");

    private static final LauncherNodes LAUNCHERS =
            LauncherNodes.ofHosts(1, List.of(Host.of("a", Optional.empty()), Host.of("b", Optional.empty())));

    private final Signals signals = Signals.delivered();
    private final Spoken spoken = new Spoken();
    private final JobLink link = new JobLink(settings -> spoken, signals, RunCount.first(0));

    @Test
    void aLinkThatWasNeverOpenedIsNone() throws InterruptedException {
        assertThat(link.isUsed()).isFalse();
        assertThat(link.own()).isEmpty();
        assertThat(link.end(HERE, 1, true, line -> {})).isEmpty();
        link.leave(0);
    }

    @Test
    void aStopEndsWaitsAndIsKeptForWhoSupervises() {
        open();

        spoken.hear(new LinkEvent.Stop(THERE));

        assertThat(signals.sleep(Duration.ofMinutes(10))).isFalse();
        List<LinkEvent> heard = new ArrayList<>();
        link.listen(heard::add);
        spoken.hear(new LinkEvent.MayLeave());
        assertThat(heard).containsExactly(new LinkEvent.Stop(THERE), new LinkEvent.MayLeave());
    }

    @Test
    void whoIsToldToStopHeedsAndHearsHowTheJobEnded() throws InterruptedException {
        open();
        LinkEvent.Decided decided = new LinkEvent.Decided(THERE);
        spoken.hear(new LinkEvent.Stop(THERE));
        spoken.hear(decided);

        assertThat(link.awaitDecision()).isEqualTo(decided);
        assertThat(spoken.said).containsExactly(new LocalEvent.Heeded());
    }

    @Test
    void aRefusalIsSaidOnceAndAnsweredWithTheJobsEnd() throws InterruptedException {
        open();
        spoken.answer = said -> said instanceof LocalEvent.Over ? new LinkEvent.Decided(THERE) : null;

        assertThat(link.end(HERE, 1, true, line -> {}).orElseThrow().end()).isEqualTo(THERE);
        assertThat(link.end(HERE, 2, true, line -> {}).orElseThrow().end()).isEqualTo(THERE);
        link.leave(65);

        assertThat(spoken.said).containsExactly(new LocalEvent.Over(HERE, 1), new LocalEvent.Left(65));
        assertThat(spoken.isClosed).isTrue();
    }

    /** The leader may be busy with the end of the last attempt, or lost. So the user hears whom the launcher waits for. */
    @Test
    void whoEndsBetweenTwoRunsSaysWhenTheLeaderDoesNotAnswerSoon() throws InterruptedException {
        JobEnd stop = JobEnd.of(JobEnd.Kind.STOPPED, "node-1", Optional.empty(), 143, "stopped by SIGTERM");
        List<String> told = new ArrayList<>();
        open();
        assertThat(link.end(stop, 1, true, told::add)).isEmpty();

        JobLink restarting = new JobLink(settings -> spoken, signals, RunCount.first(2));
        open(restarting);
        restarting.reopenFor(new RunCount(2, 2));
        assertThat(restarting.end(stop, 1, true, line -> {
                    told.add(line);
                    spoken.hear(new LinkEvent.Decided(THERE));
                }))
                .isPresent();

        assertThat(told).containsExactly("staying for up to 6s to tell node 0 (a), which leads and is not there");
    }

    @Test
    void aRunBeginsWhenTheLeaderSaysSo() {
        JobLink restarting = new JobLink(settings -> spoken, signals, RunCount.first(2));
        open(restarting);
        restarting.reportReady(restarting.count(), "table");
        assertThat(restarting.hasBegun()).isFalse();
        assertThat(restarting.replaced()).isEmpty();

        // This launcher is new in a job that has had an attempt already.
        spoken.hear(new LinkEvent.Complete(2, Set.of("node-1")));
        assertThat(restarting.count()).isEqualTo(new RunCount(2, 2));
        assertThat(restarting.replaced()).contains(Set.of("node-1"));
        restarting.reportReady(restarting.count(), "table");
        spoken.hear(new LinkEvent.Begin(2, Map.of(), Set.of()));

        assertThat(restarting.hasBegun()).isTrue();
        assertThat(spoken.said).containsExactly(new LocalEvent.Here("run 1 table"), new LocalEvent.Here("run 2 table"));
    }

    @Test
    void theNextRunKnowsNothingOfTheLastOne() {
        List<LinkSettings> opened = new ArrayList<>();
        JobLink restarting = new JobLink(
                settings -> {
                    opened.add(settings);
                    return spoken;
                },
                signals,
                RunCount.first(2));
        open(restarting);
        spoken.hear(new LinkEvent.Begin(1, Map.of("node-0", "cafe"), Set.of()));
        Consumer<LinkEvent> past = Objects.requireNonNull(spoken.listener);
        past.accept(new LinkEvent.Stop(THERE));
        assertThat(signals.isStopRequested()).isTrue();

        restarting.reopenFor(restarting.count().next());
        past.accept(new LinkEvent.Stop(THERE));

        assertThat(signals.isStopRequested()).isFalse();
        assertThat(restarting.hasBegun()).isFalse();
        assertThat(spoken.said).containsExactly(new LocalEvent.Left(0));
        assertThat(opened).hasSize(2);
        assertThat(opened.get(1).run().launcher()).isEqualTo(opened.get(0).run().launcher());
        assertThat(opened.get(1).run().number()).isEqualTo(2);
        assertThat(opened.get(1).run().number()).isEqualTo(2);
        assertThat(opened.get(1).run().before()).isEqualTo(Map.of("node-0", "cafe"));
    }

    private void open() {
        open(link);
    }

    private static void open(JobLink link) {
        link.open(new LinkSettings(
                "job",
                LAUNCHERS,
                false,
                false,
                LinkKey.known(new byte[] {1}, "a test"),
                List.of(1),
                Duration.ofSeconds(60),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                LinkRun.first(0)));
    }

    /** A link that answers at once. */
    private static final class Spoken implements Link {

        private final List<LocalEvent> said = new ArrayList<>();
        private Function<LocalEvent, @Nullable LinkEvent> answer = word -> null;
        private @Nullable Consumer<LinkEvent> listener;
        private boolean isClosed;
        private boolean leads;

        void hear(LinkEvent heard) {
            Objects.requireNonNull(listener).accept(heard);
        }

        @Override
        public void send(LocalEvent word) {
            said.add(word);
            LinkEvent heard = answer.apply(word);
            if (heard != null) {
                hear(heard);
            }
        }

        @Override
        public void listen(Consumer<LinkEvent> next) {
            listener = next;
        }

        @Override
        public Optional<LauncherNodes> launchers() {
            return Optional.of(LauncherNodes.of("node-1", leads ? "node-1" : "node-0", LAUNCHERS.all()));
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
