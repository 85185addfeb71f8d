package dev.muster.runtime.conditions;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Texts about conditions. */
public final class Conditions {

    private static final int MOST_IDS = 8;

    private Conditions() {}

    /** The processes of other launchers that a plan waits for. */
    public static NavigableSet<String> elsewhere(LaunchPlan plan) {
        return plan.conditions().stream()
                .flatMap(condition -> condition.ids().stream())
                .filter(LauncherNodes::isElsewhere)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The parts of a condition that wait for a port or for a process of another launcher; all must come true. */
    public static List<Condition> ofHosts(Condition condition) {
        return switch (condition.kind()) {
            case IMMEDIATELY, EXITED -> List.of();
            case PORT_OPEN -> List.of(condition);
            case READY ->
                condition.ids().stream()
                        .filter(LauncherNodes::isElsewhere)
                        .map(id -> Condition.ready(List.of(id)))
                        .toList();
        };
    }

    /** The rest of a sentence that starts with "when", or {@code at once}, or {@code never}. */
    public static String describe(Condition condition) {
        boolean isOne = condition.ids().size() == 1;
        return switch (condition.kind()) {
            case IMMEDIATELY -> "at once";
            case PORT_OPEN -> port(condition.host(), condition.port()) + " accepts connections";
            case READY -> names(condition.ids()) + (isOne ? " is ready" : " are ready");
            case EXITED -> names(condition.ids()) + (isOne ? " has ended" : " have ended");
        };
    }

    static String port(String host, int port) {
        return "port " + port + " of " + Printable.escape(host);
    }

    /** The first process names and the number of the others. Processes of other launchers have their launcher's name. */
    static String names(Collection<String> ids) {
        return list(ids.stream().map(Conditions::process).toList());
    }

    /** For example {@code sshd}, {@code sshd of node 2}. */
    private static String process(String id) {
        return LauncherNodes.isElsewhere(id)
                ? id.substring(0, id.indexOf('@')) + " of "
                        + JobEnd.where(LauncherNodes.launcherOf(id), Optional.empty())
                : id;
    }

    /** The first names and the number of the others. */
    public static String list(Collection<String> ids) {
        List<String> shown = new ArrayList<>(MOST_IDS + 1);
        for (String id : ids) {
            if (shown.size() == MOST_IDS && ids.size() > MOST_IDS + 1) {
                shown.add("and " + (ids.size() - MOST_IDS) + " more");
                break;
            }
            shown.add(Printable.escape(id));
        }
        return String.join(", ", shown);
    }
}
