package dev.muster.runtime.questions;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A line as it crosses the link: compressed, in words that no message changes or cuts. */
final class PackedAnswer {

    /** Characters; a message of the link may have 2,048 in a text. */
    private static final int PIECE = 2000;

    /** Bytes of a line that is unpacked, whatever was sent. */
    private static final int LONGEST = 4 * NodeAnswers.LONGEST;

    private PackedAnswer() {}

    /** At least one piece. */
    static List<String> pieces(String line) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory takes what is written", impossible);
        }
        String text = Base64.getEncoder().encodeToString(packed.toByteArray());
        List<String> pieces = new ArrayList<>();
        for (int at = 0; at < text.length(); at += PIECE) {
            pieces.add(text.substring(at, Math.min(text.length(), at + PIECE)));
        }
        return pieces;
    }

    /** @throws IllegalArgumentException it is not what {@link #pieces} has made */
    static String line(String pieces) {
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(pieces)))) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException torn) {
            throw new IllegalArgumentException("the answer of this node has come torn", torn);
        }
    }
}
