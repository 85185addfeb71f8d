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
        return said.fold(new Written(digest));
    }

    static Fact command(String command) {
        return FactBuilder.is("command").with("command", command).build();
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
            case "here" -> new Said.Here(fields.text("digest"));
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
            case "over" ->
                new Said.Over(EndFacts.read(fields.object("end")), fields.is("consequence"), fields.number("at"));
            case "heeded" -> new Said.Heeded();
            case "succeeded" -> new Said.Succeeded();
            case "left" -> new Said.Left((int) fields.number("exitCode"));
            default -> null;
        };
    }

    private record Written(UnaryOperator<String> digest) implements Said.Cases<List<Fact>> {

        @Override
        public List<Fact> awaiting(Said.Awaiting awaiting) {
            return List.of(
                    FactBuilder.is("awaiting").with("what", awaiting.what()).build());
        }

        @Override
        public List<Fact> planned(Said.Planned planned) {
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

        @Override
        public List<Fact> here(Said.Here here) {
            return List.of(FactBuilder.is("here").with("digest", here.digest()).build());
        }

        @Override
        public List<Fact> started(Said.Started started) {
            return List.of(FactBuilder.is("started")
                    .with("process", started.process())
                    .with("pid", started.pid())
                    .with("rank", started.rank())
                    .with("log", started.log())
                    .with("at", started.nanoTime())
                    .build());
        }

        @Override
        public List<Fact> ready(Said.Ready ready) {
            return List.of(FactBuilder.is("ready")
                    .with("process", ready.process())
                    .with("at", ready.nanoTime())
                    .build());
        }

        @Override
        public List<Fact> ended(Said.Ended ended) {
            return List.of(FactBuilder.is("ended")
                    .with("process", ended.process())
                    .with("exitCode", ended.exitCode())
                    .with("signal", ended.signal())
                    .with("description", ended.description())
                    .with("stoppedByUs", ended.stoppedByUs())
                    .with("at", ended.nanoTime())
                    .build());
        }

        @Override
        public List<Fact> over(Said.Over over) {
            return List.of(FactBuilder.is("over")
                    .with("end", EndFacts.write(over.end()))
                    .with("consequence", over.isConsequence())
                    .with("at", over.nanoTime())
                    .build());
        }

        @Override
        public List<Fact> heeded(Said.Heeded heeded) {
            return List.of(FactBuilder.is("heeded").build());
        }

        /** Only the leader's reason is told, with the end of the job. */
        @Override
        public List<Fact> succeeded(Said.Succeeded succeeded) {
            return List.of(FactBuilder.is("succeeded").build());
        }

        @Override
        public List<Fact> left(Said.Left left) {
            return List.of(
                    FactBuilder.is("left").with("exitCode", left.exitCode()).build());
        }
    }
}
