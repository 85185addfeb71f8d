package dev.muster.runtime.link;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** How a {@link JobEnd} is written in a fact, and read. */
final class EndFacts {

    private EndFacts() {}

    static FactBuilder write(JobEnd end) {
        return new FactBuilder()
                .with("kind", end.kind().name().toLowerCase(Locale.ROOT))
                .with("launcher", end.launcher())
                .with("host", end.host())
                .with("exitCode", end.exitCode())
                .with("signal", end.signal())
                .with("reason", end.reason())
                .with("process", end.process())
                .with("rank", end.rank())
                .with("pid", end.pid())
                .with("log", end.log())
                .with(
                        "grace",
                        end.grace()
                                .map(length -> OptionalLong.of(length.toMillis()))
                                .orElse(OptionalLong.empty()));
    }

    static JobEnd read(Fields fields) throws Fields.Unfit {
        return new JobEnd(
                        kind(fields.text("kind")),
                        fields.text("launcher"),
                        fields.optionalText("host"),
                        (int) fields.number("exitCode"),
                        fields.optionalInt("signal"),
                        fields.text("reason"),
                        fields.optionalText("process"),
                        fields.optionalInt("rank"),
                        fields.optionalLong("pid"),
                        fields.optionalText("log"))
                .withGrace(grace(fields.optionalLong("grace")));
    }

    private static Optional<Duration> grace(OptionalLong millis) {
        return millis.isEmpty() || millis.getAsLong() < 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(millis.getAsLong()));
    }

    /** A kind that a later version has is at least a failure. */
    private static JobEnd.Kind kind(String text) {
        for (JobEnd.Kind kind : JobEnd.Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(text)) {
                return kind;
            }
        }
        return JobEnd.Kind.FAILED;
    }
}
