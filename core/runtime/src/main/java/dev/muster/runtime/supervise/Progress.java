package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.output.Waiting;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Tells the user which hosts a process still waits for. Only the event loop touches it. */
final class Progress {

    /** Hosts that are there so soon need no words. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final long PAUSE = QUIET.toNanos();

    private final ConditionWatch conditions;
    private final Events clock;
    private final Effects effects;
    private final Map<Supervised, List<Condition>> awaited = new LinkedHashMap<>();
    private Optional<Waiting> waiting = Optional.empty();
    private OptionalLong nextLook = OptionalLong.empty();

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

    /** Shows who still waits for whom. */
    void look() {
        awaited.keySet().removeIf(process -> !process.isWaiting());
        if (awaited.isEmpty()) {
            over();
            return;
        }
        long now = clock.now();
        if (nextLook.isEmpty() || now >= nextLook.getAsLong()) {
            nextLook = OptionalLong.of(now + PAUSE);
            tell();
        }
    }

    /** Nobody waits any more. */
    private void over() {
        waiting.ifPresent(Waiting::close);
        waiting = Optional.empty();
        nextLook = OptionalLong.empty();
    }

    /** When {@link #look} should be called again. */
    OptionalLong nextLook() {
        return nextLook;
    }

    private void tell() {
        String text = awaited.entrySet().stream()
                .flatMap(entry -> lacking(entry.getKey(), entry.getValue()).stream())
                .collect(Collectors.joining("; "));
        if (text.isEmpty()) {
            return;
        }
        if (waiting.isEmpty()) {
            waiting = Optional.of(effects.waits().quietFor(QUIET));
        }
        waiting.get().lasts(() -> text);
    }

    private Optional<String> lacking(Supervised process, List<Condition> hosts) {
        List<String> missing = hosts.stream()
                .filter(host -> !conditions.isMet(host))
                .map(conditions::brief)
                .toList();
        int all = hosts.size();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(ProcessNames.of(process.spec()) + ": " + (all - missing.size()) + "/" + all
                        + " ready; waiting for " + Conditions.list(missing));
    }
}
