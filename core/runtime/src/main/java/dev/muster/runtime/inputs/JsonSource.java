package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON file that somebody may still be writing. */
final class JsonSource implements Source {

    private static final String WRITER =
            "Its writer is not done, or has failed: look there, or wait longer with --input-timeout";
    private static final int LONGEST_SHOWN = 80;

    private final Input.JsonFile input;
    private final Path path;
    private final Optional<FileReuse> reuse;

    private Path file;
    private boolean isRequired;

    /** @param reuse in a job that may restart: whether this attempt takes the file as it is */
    JsonSource(Input.JsonFile input, Path path, Optional<FileReuse> reuse) {
        this.input = input;
        this.path = path;
        this.file = path;
        this.reuse = reuse;
        this.isRequired = input.isRequired() || reuse.map(FileReuse::wasUsed).orElse(false);
    }

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return Source.subject(input.id(), file);
    }

    @Override
    public String origin() {
        return input.origin().equals("default") ? " (the default place)" : " (named by " + input.origin() + ")";
    }

    @Override
    public Optional<Instant> changed() {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant());
        } catch (IOException nothingThere) {
            return Optional.empty();
        }
    }

    @Override
    public ReadAttempt read() {
        file = input.nameInDirectory().isPresent() && Files.isDirectory(path)
                ? path.resolve(input.nameInDirectory().get())
                : path;
        String mark = FilePrint.markOf(file);
        Snapshot snapshot = Snapshot.of(file, Json.LIMIT);
        if (!isRequired && snapshot.state() == Snapshot.State.MISSING) {
            return ReadAttempt.Ready.WITHOUT;
        }
        isRequired = true;
        return switch (snapshot.state()) {
            case CONTENT ->
                reuse.map(fileReuse -> readForReuse(snapshot, fileReuse, mark))
                        .orElseGet(() -> Provenance.judge(file, subject(), parsed(snapshot)));
            case MISSING ->
                new ReadAttempt.NotYet(snapshot.reason(), "Check the path, or wait longer with --input-timeout");
            case UNREADABLE -> new ReadAttempt.NotYet(snapshot.reason(), "Let the user that runs Muster read it");
            case CHANGING -> new ReadAttempt.NotYet(snapshot.reason(), WRITER);
            case DIRECTORY, SPECIAL -> new ReadAttempt.Refused(snapshot.reason(), "Name the file itself");
            case TOO_BIG -> new ReadAttempt.Refused(Json.tooBig(snapshot.size()), "Check that it is the right file");
        };
    }

    private ReadAttempt readForReuse(Snapshot snapshot, FileReuse fileReuse, String mark) {
        FilePrint print = FilePrint.of(snapshot.bytes(), mark);
        Optional<ReadAttempt.NotYet> objection = fileReuse.objection(print);
        if (objection.isPresent()) {
            return objection.get();
        }
        ReadAttempt look = Provenance.judge(file, subject(), parsed(snapshot));
        if (look instanceof ReadAttempt.Ready) {
            fileReuse.take(file, print);
        } else {
            fileReuse.markWriting();
        }
        return look;
    }

    private ReadAttempt parsed(Snapshot snapshot) {
        JsonReading reading = Json.read(snapshot.bytes());
        if (reading instanceof JsonReading.Incomplete incomplete) {
            return new ReadAttempt.NotYet(incomplete.reason() + size(snapshot), WRITER);
        }
        return reading instanceof JsonReading.Wrong wrong
                ? new ReadAttempt.Refused(wrong.reason(), "Correct the file")
                : complete(reading.object().orElseThrow());
    }

    private static String size(Snapshot snapshot) {
        return snapshot.size() == 0 ? "" : " (it has " + snapshot.size() + " bytes)";
    }

    private ReadAttempt complete(Map<String, Object> content) {
        String field = input.field();
        if (field.isEmpty()) {
            return new ReadAttempt.Ready(new InputValue.Json(file.toString(), content));
        }
        if (!content.containsKey(field)) {
            return new ReadAttempt.NotYet("has no field " + Printable.quote(field), WRITER);
        }
        Object value = content.get(field);
        if (input.ready().equals(value)) {
            return new ReadAttempt.Ready(new InputValue.Json(file.toString(), content));
        }
        if (value instanceof String text && input.pending().contains(text)) {
            return new ReadAttempt.NotYet("is still " + Printable.quote(text), WRITER);
        }
        return new ReadAttempt.Refused(
                "is wrong: /" + field + " is " + shown(value) + ", expected " + expected(),
                "Find out what went wrong where it was written");
    }

    private String expected() {
        StringBuilder text = new StringBuilder(Printable.quote(input.ready()));
        for (String pending : input.pending()) {
            text.append(" or ").append(Printable.quote(pending));
        }
        return text.toString();
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof Map) {
            return "an object";
        }
        if (value instanceof Iterable) {
            return "an array";
        }
        String shortened = Shortened.begun(LONGEST_SHOWN, String.valueOf(value));
        return value instanceof String ? Printable.quote(shortened) : shortened;
    }
}
