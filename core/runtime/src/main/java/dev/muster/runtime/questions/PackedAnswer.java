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

/** A line as it crosses the link: compressed, and as Base64 text that the link neither changes nor cuts. */
final class PackedAnswer {

    /** Characters of a piece; the link allows 2,048 in a text. */
    private static final int PIECE = 2000;

    /** The most bytes of an unpacked line, whatever was sent. */
    private static final int LONGEST = 4 * NodeAnswers.LONGEST;

    private PackedAnswer() {}

    /** The pieces of a line, at least one. */
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

    /** @throws IllegalArgumentException the text does not come from {@link #pieces} */
    static String line(String pieces) {
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(pieces)))) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        } catch (IOException torn) {
            throw new IllegalArgumentException("the answer of this node has come torn", torn);
        }
    }
}
