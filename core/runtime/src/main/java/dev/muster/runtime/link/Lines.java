package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a party has to say to its user. */
final class Lines {

    private List<Line> lines = new ArrayList<>();

    void say(String text) {
        lines.add(new Line(text, false));
    }

    void warn(String text) {
        lines.add(new Line(text, true));
    }

    List<Line> drain() {
        if (lines.isEmpty()) {
            return List.of();
        }
        List<Line> drained = lines;
        lines = new ArrayList<>();
        return drained;
    }

    /** For example {@code 40 s}. */
    static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
    }
}
