package dev.muster.runtime.conditions;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.Launchers;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Conditions in words. */
public final class Conditions {

    private static final int MOST_IDS = 8;

    private Conditions() {}

    /** What a condition is made of; a condition without parts has none. */
    public static List<Condition> parts(Condition condition) {
        if (condition instanceof Condition.AllOf all) {
            return all.parts();
        }
        if (condition instanceof Condition.AnyOf any) {
            return any.parts();
        }
        return condition instanceof Condition.Before order ? List.of(order.first(), order.other()) : List.of();
    }

    /** The parts of a condition that ask hosts, or wait for what serves on them, and that all must come true. */
    public static List<Condition> ofHosts(Condition condition) {
        if (condition instanceof Condition.AllOf all) {
            return all.parts().stream().flatMap(part -> ofHosts(part).stream()).toList();
        }
        if (condition instanceof Condition.Ready ready) {
            return ready.ids().stream()
                    .filter(Launchers::isElsewhere)
                    .<Condition>map(id -> new Condition.Ready(new TreeSet<>(List.of(id))))
                    .toList();
        }
        boolean asksHost = condition instanceof Condition.PortOpen || condition instanceof Condition.CommandEnds;
        return asksHost ? List.of(condition) : List.of();
    }

    /**
     * What conditions are about, each once: a command and the port that it waits for are about the same, and so are questions
     * to one host.
     */
    public static Set<Condition> subjects(Collection<Condition> conditions) {
        Set<Condition> subjects = new LinkedHashSet<>();
        for (Condition condition : conditions) {
            subjects.add(subject(condition));
        }
        return subjects;
    }

    private static Condition subject(Condition condition) {
        if (condition instanceof Condition.CommandEnds question) {
            return question.after()
                    .<Condition>map(port -> port)
                    .orElseGet(() -> new Condition.CommandEnds(List.of(), 0, question.host(), Optional.empty()));
        }
        return condition;
    }

    /** The rest of a sentence that starts with "when", or {@code at once}, or {@code never}. */
    public static String describe(Condition condition) {
        if (condition instanceof Condition.AllOf all) {
            return join(all.parts(), " and ", "at once");
        }
        if (condition instanceof Condition.AnyOf any) {
            return join(any.parts(), " or ", "never");
        }
        if (condition instanceof Condition.Before order) {
            return part(order.first()) + " before " + part(order.other());
        }
        if (condition instanceof Condition.Exited exited) {
            return processes(exited.ids()) + (exited.ids().size() == 1 ? " has ended" : " have ended");
        }
        if (condition instanceof Condition.Ready ready) {
            return processes(ready.ids()) + (ready.ids().size() == 1 ? " is ready" : " are ready");
        }
        return condition instanceof Condition.Immediately ? "at once" : describeProbed(condition);
    }

    private static String describeProbed(Condition condition) {
        if (condition instanceof Condition.PortOpen port) {
            return port(port.host(), port.port()) + " accepts connections";
        }
        if (condition instanceof Condition.PortClosed port) {
            return port(port.host(), port.port()) + " was open and has refused connections for "
                    + Durations.format(port.lasting())
                    + port.silent()
                            .map(time -> " (or not been open for " + Durations.format(time) + ")")
                            .orElse("");
        }
        if (condition instanceof Condition.Elapsed elapsed) {
            return Durations.format(elapsed.time()) + " has passed since the start";
        }
        if (condition instanceof Condition.FileReady file) {
            return "file " + Printable.escape(file.path()) + " exists and is not empty";
        }
        if (condition instanceof Condition.PrivateFileReady file) {
            return "private file " + Printable.escape(file.name()) + " exists and is not empty";
        }
        if (condition instanceof Condition.CommandEnds question) {
            return "command " + program(question) + " ends with " + question.exitCode() + ", asked "
                    + question.after()
                            .map(port -> "once " + describeProbed(port))
                            .orElse("of " + Printable.escape(question.host()));
        }
        return "never";
    }

    /** The arguments may be long; the dry run shows plans to people. */
    private static String program(Condition.CommandEnds question) {
        boolean isNamed = !question.command().isEmpty() && question.command().get(0) instanceof Value.Literal;
        return isNamed ? Printable.escape(((Value.Literal) question.command().get(0)).text()) : "of the plan";
    }

    static String port(String host, int port) {
        return "port " + port + " of " + Printable.escape(host);
    }

    /** Some processes, those of other launchers with these, and how many more there are. */
    static String processes(Collection<String> ids) {
        return list(ids.stream().map(Conditions::process).toList());
    }

    /** For example {@code sshd}, {@code sshd of node 2}. */
    private static String process(String id) {
        return Launchers.isElsewhere(id)
                ? id.substring(0, id.indexOf('@')) + " of " + JobEnd.where(Launchers.launcherOf(id), Optional.empty())
                : id;
    }

    /** Some names, and how many more there are. */
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

    private static String join(List<Condition> parts, String word, String ofNothing) {
        if (parts.isEmpty()) {
            return ofNothing;
        }
        List<String> texts = new ArrayList<>(parts.size());
        for (Condition part : parts) {
            texts.add(parts.size() > 1 ? part(part) : describe(part));
        }
        return String.join(word, texts);
    }

    private static String part(Condition part) {
        return isCompound(part) ? "(" + describe(part) + ")" : describe(part);
    }

    private static boolean isCompound(Condition condition) {
        List<Condition> parts = parts(condition);
        return parts.size() > 1 || (parts.size() == 1 && isCompound(parts.get(0)));
    }
}
