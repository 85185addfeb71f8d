package dev.muster.runtime.output;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Lines of one rank. The console shows equal lines of several ranks once. A line that does not end in time is shown unfolded. */
final class FoldedLines implements ConsoleLines {

    private final LineFold fold;
    private final int rank;
    private final String prefix;
    private final LineFormatter unfolded;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    /** The held text is a progress bar: it has overwritten itself. */
    private boolean isProgress;
    /** The beginning of the current line was shown unfolded. */
    private boolean isPassing;

    /**
     * @param prefix the prefix of a line that only this rank has printed
     * @param unfolded shows such lines
     */
    FoldedLines(LineFold fold, int rank, String prefix, LineFormatter unfolded) {
        this.fold = fold;
        this.rank = rank;
        this.prefix = prefix;
        this.unfolded = unfolded;
        fold.addRank(rank);
    }

    int rank() {
        return rank;
    }

    String prefix() {
        return prefix;
    }

    /** Shows a line that no other rank has printed. */
    void show(byte[] line) {
        unfolded.accept(line, line.length);
    }

    @Override
    public boolean accept(byte[] bytes, int count) {
        int start = isPassing ? pass(bytes, count) : 0;
        boolean hasEnded = isPassing && start > 0;
        isPassing &= start == 0;
        if (isPassing) {
            return false;
        }
        for (int end = Newlines.first(bytes, start, count) + 1;
                end > 0;
                end = Newlines.first(bytes, start, count) + 1) {
            held.write(bytes, start, end - start);
            fold.add(this, takeHeld());
            start = end;
            hasEnded = true;
        }
        hold(bytes, start, count);
        return hasEnded;
    }

    /** Continues an unfolded line. Returns the index behind its end, or 0. */
    private int pass(byte[] bytes, int count) {
        int end = Newlines.first(bytes, 0, count) + 1;
        unfolded.accept(bytes, end > 0 ? end : count);
        return end;
    }

    private byte[] takeHeld() {
        byte[] line = held.toByteArray();
        held.reset();
        isProgress = false;
        return line;
    }

    private void hold(byte[] bytes, int from, int to) {
        held.write(bytes, from, to - from);
        for (int index = from; index < to && !isProgress; index++) {
            isProgress = bytes[index] == '\r';
        }
        if (held.size() > LineFormatter.LINE_LIMIT) {
            showUnfolded();
        }
    }

    private void showUnfolded() {
        fold.showAll();
        byte[] begun = takeHeld();
        unfolded.accept(begun, begun.length);
        isPassing = true;
    }

    @Override
    public boolean hasPartial() {
        return isPassing ? unfolded.hasPartial() : held.size() > 0;
    }

    @Override
    public boolean hasProgress() {
        return isPassing ? unfolded.hasProgress() : isProgress;
    }

    @Override
    public void showPartial() {
        if (!isPassing) {
            showUnfolded();
        }
        unfolded.showPartial();
    }

    @Override
    public void finish() {
        unfolded.finish();
        if (held.size() > 0) {
            byte[] line = takeHeld();
            byte[] whole = Arrays.copyOf(line, line.length + 1);
            whole[line.length] = '\n';
            fold.add(this, whole);
        }
        fold.removeRank(rank);
    }
}
