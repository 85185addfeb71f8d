package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SignalName;
import dev.muster.runtime.logs.LogsHandler;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.questions.JobQuestions;
import dev.muster.runtime.questions.NodeAnswers;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.supervise.SupervisorEvents;
import dev.muster.runtime.watch.HangWatch;
import dev.muster.runtime.watch.StacksHandler;
import dev.muster.runtime.watch.TopHandler;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;

/** Answers questions while a job runs, for {@code muster top} and the like on this node and on other nodes. */
final class QuestionHandlers {

    private final LaunchContext context;
    private final ResolvedJob resolved;
    private final JobLink link;
    private final SupervisorEvents events;
    private Optional<HangWatch> hangs = Optional.empty();

    @Inject
    QuestionHandlers(LaunchContext context, LaunchRequest request, JobLink link, SupervisorEvents events) {
        this.context = context;
        this.resolved = request.resolved();
        this.link = link;
        this.events = events;
    }

    /** All kinds of questions that a node answers. */
    private Map<String, QuestionHandler> all() {
        return Map.of(
                TopHandler.KIND,
                new TopHandler(() -> link.count().restarts(), context.nanoClock()),
                StacksHandler.KIND,
                new StacksHandler(
                        context.commands(),
                        context.nanoClock(),
                        resolved.settings().text(OptionTable.STACKS_SIGNAL).map(SignalName::plain)),
                LogsHandler.KIND,
                new LogsHandler());
    }

    /** Begins to answer questions. */
    void begin() {
        boolean isQuoted =
                resolved.settings().text(OptionTable.LINK_OUTPUT).orElseThrow().equals("on");
        NodeAnswers node = new NodeAnswers(this::name, this::host, this::all, context.console()::masked, isQuoted);
        JobQuestions questions = new JobQuestions(link, node, context.nanoClock());
        link.listenToQuestions(questions::handle);
        events.control().setQuestions(questions);
        hangs = hangs(questions);
        hangs.ifPresent(HangWatch::start);
    }

    /** Where the ranks stood when the job hung; empty: it did not hang. */
    Map<String, ?> hang() {
        return hangs.map(HangWatch::found).orElse(Map.of());
    }

    private Optional<HangWatch> hangs(JobQuestions questions) {
        Settings settings = resolved.settings();
        return settings.given(OptionTable.HANG_TIMEOUT)
                .filter(given -> !settings.duration(OptionTable.HANG_TIMEOUT).isZero())
                .map(given -> new HangWatch(settings, questions, link, context.console()::say, context.nanoClock()));
    }

    private String name() {
        return link.own()
                .orElseGet(() -> LauncherNodes.ofNode(resolved.node().index().orElse(0)));
    }

    private String host() {
        return link.host().orElse(resolved.node().machine().hostName());
    }
}
