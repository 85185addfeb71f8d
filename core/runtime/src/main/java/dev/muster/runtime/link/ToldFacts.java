package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How what a member says is written as facts, and read. */
final class ToldFacts {

    /** Names of watched processes in one fact. */
    private static final int TOGETHER = 100;

    private ToldFacts() {}

    /** @param digest of the command, see {@link Member} */
    static List<Fact> write(Said said, UnaryOperator<String> digest) {
        if (!(said instanceof Said.Planned planned)) {
            return List.of(plain(said));
        }
        List<Fact> facts = new ArrayList<>();
        facts.add(FactBuilder.is("planned")
                .with("equal", planned.equal())
                .with("command", digest.apply(planned.command()))
                .with("follows", planned.follows())
                .build());
        List<String> watched = List.copyOf(planned.watched());
        for (int at = 0; at < watched.size(); at += TOGETHER) {
            facts.add(FactBuilder.is("watching")
                    .with("processes", watched.subList(at, Math.min(watched.size(), at + TOGETHER)))
                    .build());
        }
        return facts;
    }

    static Fact command(String command) {
        return FactBuilder.is("command").with("command", command).build();
    }

    private static Fact plain(Said said) {
        if (said instanceof Said.Awaiting awaiting) {
            return FactBuilder.is("awaiting").with("what", awaiting.what()).build();
        } else if (said instanceof Said.Started started) {
            return FactBuilder.is("started")
                    .with("process", started.process())
                    .with("pid", started.pid())
                    .with("rank", started.rank())
                    .with("log", started.log())
                    .with("at", started.nanoTime())
                    .build();
        } else if (said instanceof Said.Ready ready) {
            return FactBuilder.is("ready")
                    .with("process", ready.process())
                    .with("at", ready.nanoTime())
                    .build();
        } else if (said instanceof Said.Ended ended) {
            return ended(ended);
        } else if (said instanceof Said.Over over) {
            return FactBuilder.is("over")
                    .with("end", EndFacts.write(over.end()))
                    .with("at", over.nanoTime())
                    .build();
        } else if (said instanceof Said.Left left) {
            return FactBuilder.is("left").with("exitCode", left.exitCode()).build();
        }
        return FactBuilder.is(said instanceof Said.Succeeded ? "succeeded" : "heeded")
                .build();
    }

    private static Fact ended(Said.Ended ended) {
        return FactBuilder.is("ended")
                .with("process", ended.process())
                .with("exitCode", ended.exitCode())
                .with("signal", ended.signal())
                .with("description", ended.description())
                .with("stoppedByUs", ended.stoppedByUs())
                .with("at", ended.nanoTime())
                .build();
    }

    /** Empty for what this version does not know or cannot use. */
    static Optional<Told> read(Fact fact) {
        try {
            Fields fields = new Fields(fact.content());
            return switch (fields.text(FactBuilder.IS)) {
                case "planned" ->
                    Optional.of(new Told.Plan(fields.map("equal"), fields.text("command"), fields.is("follows")));
                case "watching" -> Optional.of(new Told.Watching(fields.texts("processes")));
                case "command" -> Optional.of(new Told.Command(fields.text("command")));
                default -> Optional.ofNullable(said(fields)).map(Told.Plainly::new);
            };
        } catch (Fields.Unfit unfit) {
            return Optional.empty();
        }
    }

    private static @Nullable Said said(Fields fields) throws Fields.Unfit {
        return switch (fields.text(FactBuilder.IS)) {
            case "awaiting" -> new Said.Awaiting(fields.optionalText("what"));
            case "started" ->
                new Said.Started(
                        fields.text("process"),
                        fields.number("pid"),
                        fields.optionalInt("rank"),
                        fields.optionalText("log"),
                        fields.number("at"));
            case "ready" -> new Said.Ready(fields.text("process"), fields.number("at"));
            case "ended" ->
                new Said.Ended(
                        fields.text("process"),
                        (int) fields.number("exitCode"),
                        fields.optionalInt("signal"),
                        fields.text("description"),
                        fields.is("stoppedByUs"),
                        fields.number("at"));
            case "over" -> new Said.Over(EndFacts.read(fields.object("end")), fields.number("at"));
            case "heeded" -> new Said.Heeded();
            case "succeeded" -> new Said.Succeeded();
            case "left" -> new Said.Left((int) fields.number("exitCode"));
            default -> null;
        };
    }
}
