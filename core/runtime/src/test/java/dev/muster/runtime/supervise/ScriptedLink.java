package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LocalEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A link whose other launchers send what the test wants. */
final class ScriptedLink implements Link {

    private record Answer(Predicate<LocalEvent> to, Runnable action) {}

    private final Events events;
    private final String own;
    private final boolean leads;
    private final List<Answer> answers = new ArrayList<>();
    final List<LocalEvent> said = new ArrayList<>();
    LinkReport report = new LinkReport(List.of());

    private ScriptedLink(Events events, String own, boolean leads) {
        this.events = events;
        this.own = own;
        this.leads = leads;
    }

    static ScriptedLink ofLeader(Events events) {
        return new ScriptedLink(events, "node-0", true);
    }

    static ScriptedLink ofMember(Events events) {
        return new ScriptedLink(events, "node-1", false);
    }

    /** Runs {@code action} when this launcher sends an event of that kind. */
    ScriptedLink on(Class<? extends LocalEvent> kind, Runnable action) {
        answers.add(new Answer(kind::isInstance, action));
        return this;
    }

    /** The others send these events when this launcher sends an event of that kind. */
    ScriptedLink answers(Class<? extends LocalEvent> kind, LinkEvent... heard) {
        return on(kind, () -> List.of(heard).forEach(this::tell));
    }

    /** The others send an event now. */
    void tell(LinkEvent heard) {
        events.post(new Event.OfPeer(heard, events.now()));
    }

    /** The kinds of all events that this launcher has sent. */
    List<String> kinds() {
        return said.stream().map(one -> one.getClass().getSimpleName()).toList();
    }

    JobEnd over() {
        return said.stream()
                .filter(one -> one instanceof LocalEvent.Over)
                .map(one -> ((LocalEvent.Over) one).end())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void send(LocalEvent word) {
        said.add(word);
        List.copyOf(answers).stream()
                .filter(answer -> answer.to().test(word))
                .forEach(answer -> answer.action().run());
    }

    @Override
    public void listen(Consumer<LinkEvent> listener) {
        throw new UnsupportedOperationException("what is heard are events");
    }

    @Override
    public boolean isUsed() {
        return true;
    }

    @Override
    public Optional<String> host() {
        return Optional.of("gpu2");
    }

    @Override
    public boolean leads() {
        return leads;
    }

    @Override
    public Optional<String> own() {
        return Optional.of(own);
    }

    @Override
    public LinkReport report() {
        return report;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("whoever opened it closes it");
    }
}
