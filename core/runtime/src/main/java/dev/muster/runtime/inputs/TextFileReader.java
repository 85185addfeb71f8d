package dev.muster.runtime.inputs;

import dev.muster.spi.InputValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Reads a small text file, which may be missing. */
final class TextFileReader {

    /** A hostfile of a hundred thousand lines has a few MB. */
    private static final int LIMIT = 8 * 1024 * 1024;

    private TextFileReader() {}

    /** @param subject what messages call the file */
    static ReadAttempt read(Path path, String subject) {
        Snapshot snapshot = Snapshot.of(path, LIMIT);
        return switch (snapshot.state()) {
            case CONTENT -> Provenance.judge(path, subject, content(path, snapshot.bytes()));
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

    private static ReadAttempt content(Path path, byte[] bytes) {
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
