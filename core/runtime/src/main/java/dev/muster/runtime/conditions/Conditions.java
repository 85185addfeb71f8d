package dev.muster.runtime.conditions;

import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Conditions in words. */
public final class Conditions {

    private static final int MOST_IDS = 8;

    private Conditions() {}

    /** The rest of a sentence that starts with "when", or {@code at once}, or {@code never}. */
    public static String describe(Condition condition) {
        if (condition instanceof Condition.AllOf all) {
            return join(all.parts(), " and ", "at once");
        }
        if (condition instanceof Condition.AnyOf any) {
            return join(any.parts(), " or ", "never");
        }
        if (condition instanceof Condition.Exited exited) {
            return list(exited.ids()) + (exited.ids().size() == 1 ? " has ended" : " have ended");
        }
        return condition instanceof Condition.Immediately ? "at once" : describeProbed(condition);
    }

    private static String describeProbed(Condition condition) {
        if (condition instanceof Condition.PortOpen port) {
            return port(port.host(), port.port()) + " accepts connections";
        }
        if (condition instanceof Condition.PortClosed port) {
            String lasting = Durations.format(port.lasting());
            return port(port.host(), port.port()) + " was open and has refused connections for " + lasting;
        }
        if (condition instanceof Condition.FileReady file) {
            return "file " + Printable.escape(file.path()) + " exists and is not empty";
        }
        return "never";
    }

    static String port(String host, int port) {
        return "port " + port + " of " + Printable.escape(host);
    }

    /** Some names, and how many more there are. */
    static String list(Collection<String> ids) {
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
            String text = describe(part);
            texts.add(parts.size() > 1 && isCompound(part) ? "(" + text + ")" : text);
        }
        return String.join(word, texts);
    }

    private static boolean isCompound(Condition condition) {
        return (condition instanceof Condition.AllOf all && all.parts().size() > 1)
                || (condition instanceof Condition.AnyOf any && any.parts().size() > 1);
    }
}
