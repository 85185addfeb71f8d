package dev.muster.runtime.inputs;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A small text file that is there or is not. */
record TextSource(Input.TextFile input, Path path) implements Source {

    /** A hostfile of a hundred thousand lines has a few MB. */
    private static final int LIMIT = 8 * 1024 * 1024;

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return Source.subject(input.id(), path);
    }

    @Override
    public ReadAttempt look() {
        Snapshot snapshot = Snapshot.of(path, LIMIT);
        return switch (snapshot.state()) {
            case CONTENT -> Provenance.judge(path, subject(), content(snapshot.bytes()));
            case MISSING -> ReadAttempt.Ready.WITHOUT;
            case UNREADABLE -> new ReadAttempt.Refused(snapshot.reason(), "Let the user that runs Muster read it");
            case CHANGING -> new ReadAttempt.NotYet(snapshot.reason(), "Try again");
            case DIRECTORY, SPECIAL ->
                new ReadAttempt.Refused(snapshot.reason(), "Put a regular file there, or nothing");
            case TOO_BIG ->
                new ReadAttempt.Refused(
                        "has " + snapshot.size() + " bytes; the limit is " + LIMIT, "Check that it is the right file");
        };
    }

    private ReadAttempt content(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new ReadAttempt.Ready(new InputValue.Text(path.toString(), text));
        } catch (CharacterCodingException e) {
            return new ReadAttempt.Refused("is not UTF-8", "Save it as UTF-8");
        }
    }
}
