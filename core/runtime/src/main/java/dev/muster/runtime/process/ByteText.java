package dev.muster.runtime.process;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Converts the kernel's byte strings to text and back. A byte that is not UTF-8 becomes a lone low surrogate (U+DC80 to U+DCFF, as in
 * Python). On the way back that becomes the same byte.
 */
public final class ByteText {

    private static final int BASE = 0xDC00;
    private static final int FIRST = 0xDC80;
    private static final int LAST = 0xDCFF;

    /** What Java writes for a byte that is not UTF-8. Where the input itself contains it, the slow decoder gives the same result. */
    private static final char REPLACEMENT = '\uFFFD';

    private ByteText() {}

    /** The text for some bytes. */
    public static String decode(byte[] bytes) {
        String plain = new String(bytes, StandardCharsets.UTF_8);
        return plain.indexOf(REPLACEMENT) < 0 ? plain : decodeEach(bytes);
    }

    private static String decodeEach(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        for (CoderResult result = decoder.decode(in, out, true); result.isError(); ) {
            for (int left = result.length(); left > 0; left--) {
                out.put((char) (BASE + (in.get() & 0xff)));
            }
            result = decoder.reset().decode(in, out, true);
        }
        return out.flip().toString();
    }

    /** The bytes for a text. */
    public static byte[] encode(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        return isPlain(text) ? plain : encodeEach(text);
    }

    /** Whether a text has no surrogates that stand for bytes. */
    public static boolean isPlain(String text) {
        return text.codePoints().noneMatch(point -> point >= FIRST && point <= LAST);
    }

    private static byte[] encodeEach(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(point -> {
            if (point >= FIRST && point <= LAST) {
                bytes.write(point - BASE);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }
}
