package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Tells the user which hosts a process still waits for. Only the event loop touches it. */
final class Progress {

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();
    /** Between two lines that differ. */
    private static final long AFTER_CHANGE = Duration.ofSeconds(3).toNanos();
    /** Between two equal lines. */
    private static final long WITHOUT_CHANGE = Duration.ofSeconds(30).toNanos();

    private final ConditionWatch conditions;
    private final Events clock;
    private final Effects effects;
    private final Map<Supervised, List<Condition>> awaited = new HashMap<>();
    private final Map<Supervised, Line> last = new HashMap<>();
    private OptionalLong nextLook = OptionalLong.empty();

    private record Line(String text, long saidAt) {}

    Progress(Roster roster, ConditionWatch conditions, Events clock, Effects effects) {
        this.conditions = conditions;
        this.clock = clock;
        this.effects = effects;
        for (Supervised process : roster.all()) {
            List<Condition> hosts = Conditions.ofHosts(process.spec().startWhen());
            if (!hosts.isEmpty()) {
                awaited.put(process, hosts);
            }
        }
    }

    /** Says what is new, from a second after the first look on: hosts that are there need no words. */
    void look() {
        awaited.keySet().removeIf(process -> !process.isWaiting());
        long now = clock.now();
        if (nextLook.isPresent() && now >= nextLook.getAsLong()) {
            awaited.forEach((process, hosts) -> tell(process, hosts, now));
        }
        if (awaited.isEmpty()) {
            nextLook = OptionalLong.empty();
        } else if (nextLook.isEmpty() || now >= nextLook.getAsLong()) {
            nextLook = OptionalLong.of(now + PAUSE);
        }
    }

    /** When {@link #look} should be called again. */
    OptionalLong nextLook() {
        return nextLook;
    }

    private void tell(Supervised process, List<Condition> hosts, long now) {
        List<String> missing = hosts.stream()
                .filter(host -> !conditions.isMet(host))
                .map(conditions::brief)
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        int all = hosts.size();
        String text = ProcessNames.of(process.spec()) + ": " + (all - missing.size()) + "/" + all
                + " ready; waiting for " + Conditions.list(missing);
        Line before = last.get(process);
        long pause = before != null && before.text().equals(text) ? WITHOUT_CHANGE : AFTER_CHANGE;
        if (before == null || now - before.saidAt() >= pause) {
            last.put(process, new Line(text, now));
            effects.say(text);
        }
    }
}
