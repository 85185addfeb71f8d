package dev.muster.runtime.output;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the output of a process that prints for several ranks apart, by the tag before each piece. Tags are left out. What begins a line
 * without a tag is the process's own.
 */
final class RankSplitter {

    private static final String RANK = "rank";
    private static final int LONGEST_TAG = 64;

    /** A piece of the output; empty: the process's own. */
    interface Sink {
        void accept(OptionalInt rank, byte[] bytes, int count);
    }

    private final Pattern tagOrEnd;
    private final Sink sink;
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream();
    private OptionalInt pieceOf = OptionalInt.empty();
    private OptionalInt current = OptionalInt.empty();
    /** What may be the beginning of a tag. */
    private byte[] held = new byte[0];

    /** @param tag a regular expression with a group {@code rank} */
    RankSplitter(String tag, Sink sink) {
        this.tagOrEnd = Pattern.compile("\n|" + tag);
        this.sink = sink;
    }

    void accept(byte[] bytes, int count) {
        byte[] all = Arrays.copyOf(held, held.length + count);
        System.arraycopy(bytes, 0, all, held.length, count);
        // Each byte is a character.
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int end = beginningOfTag(text);
        split(text, all, end);
        held = Arrays.copyOfRange(all, end, all.length);
    }

    /** There is no more to come. */
    void finish() {
        split(new String(held, StandardCharsets.ISO_8859_1), held, held.length);
        held = new byte[0];
    }

    private void split(String text, byte[] bytes, int end) {
        Matcher matcher = tagOrEnd.matcher(text).region(0, end);
        int from = 0;
        while (matcher.find()) {
            boolean isEnd = bytes[matcher.start()] == '\n';
            add(bytes, from, isEnd ? matcher.end() : matcher.start());
            from = matcher.end();
            current = isEnd ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(matcher.group(RANK)));
        }
        add(bytes, from, end);
        flush();
    }

    private void add(byte[] bytes, int from, int to) {
        if (from == to) {
            return;
        }
        if (!pieceOf.equals(current)) {
            flush();
            pieceOf = current;
        }
        piece.write(bytes, from, to - from);
    }

    private void flush() {
        if (piece.size() > 0) {
            sink.accept(pieceOf, piece.toByteArray(), piece.size());
            piece.reset();
        }
    }

    /** Where a tag may begin whose end has not come. */
    @SuppressWarnings("JdkObsolete") // hitEnd() alone tells that more text could make a match.
    private int beginningOfTag(String text) {
        Matcher matcher = tagOrEnd.matcher(text);
        for (int at = Math.max(0, text.length() - LONGEST_TAG); at < text.length(); at++) {
            matcher.region(at, text.length());
            if (!matcher.lookingAt() && matcher.hitEnd()) {
                return at;
            }
        }
        return text.length();
    }
}
