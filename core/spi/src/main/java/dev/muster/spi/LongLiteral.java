package dev.muster.spi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Value.Literal} of ASCII that stays bytes until somebody asks for its text: a rank table of megabytes is written as it is.
 *
 * @since 0.2
 */
public final class LongLiteral implements Value {

    /** Bytes of a text that is worth it. */
    static final int SHORTEST = 64 * 1024;

    private final byte[] ascii;
    private final int start;
    private final int length;

    /** Made once: who looks at the plans of all nodes asks for it thousands of times. */
    private volatile @Nullable String text;

    LongLiteral(byte[] ascii, int start, int length) {
        this.ascii = ascii;
        this.start = start;
        this.length = length;
    }

    /** Its bytes, to read. */
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(ascii, start, length).asReadOnlyBuffer();
    }

    /** Without making its text. */
    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public Optional<String> known() {
        return Optional.of(text());
    }

    /** As the literal that it is. */
    @Override
    public <T> T fold(Cases<T> cases) {
        return cases.literal(new Literal(text()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LongLiteral literal && bytes().equals(literal.bytes());
    }

    @Override
    public int hashCode() {
        return bytes().hashCode();
    }

    @Override
    public String toString() {
        return "LongLiteral[" + length + " bytes]";
    }

    private String text() {
        String known = text;
        if (known == null) {
            known = new String(ascii, start, length, StandardCharsets.ISO_8859_1);
            text = known;
        }
        return known;
    }
}
