package dev.muster.runtime.process;

import java.util.List;
import java.util.Set;

/** Command lines of Python. */
public final class PythonCommand {

    private static final String MODULE = "-m";

    /** Options whose value is a separate word. */
    private static final Set<String> WITH_VALUE = Set.of("-W", "-X");

    private PythonCommand() {}

    /** The script or the module that the interpreter runs, and its arguments; empty: there is none. */
    public static List<String> script(List<String> arguments) {
        int at = 0;
        while (at < arguments.size()
                && arguments.get(at).startsWith("-")
                && !arguments.get(at).equals(MODULE)) {
            at += WITH_VALUE.contains(arguments.get(at)) ? 2 : 1;
        }
        at += at < arguments.size() && arguments.get(at).equals(MODULE) ? 1 : 0;
        return arguments.subList(Math.min(at, arguments.size()), arguments.size());
    }
}
