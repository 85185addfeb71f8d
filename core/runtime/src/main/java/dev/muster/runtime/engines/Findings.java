package dev.muster.runtime.engines;

import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** Collects what may be engines, and what should have been one: whatever is wrong with a jar, it never hides the others. */
final class Findings {

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<BrokenEngine> broken = new ArrayList<>();

    List<Candidate> candidates() {
        return candidates;
    }

    List<BrokenEngine> broken() {
        return broken;
    }

    void add(Candidate candidate) {
        candidates.add(candidate);
    }

    void addBroken(String place, String reason) {
        addBroken(place, reason, BrokenEngine.Kind.UNUSABLE);
    }

    void addRefused(String place, String reason) {
        addBroken(place, reason, BrokenEngine.Kind.REFUSED);
    }

    void addBroken(String place, String reason, BrokenEngine.Kind kind) {
        broken.add(new BrokenEngine(Printable.escape(place), Printable.escape(reason), kind));
    }
}
