package dev.muster.runtime.cli;

import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Refuses flags that nobody knows. */
final class UnknownOptions {

    private UnknownOptions() {}

    /** @param known with the options of the chosen engine, if one is chosen; those of others are unknown to it */
    static void refuse(CommandLine line, KnownOptions known) {
        if (line.unknown().isEmpty()) {
            return;
        }
        String flag = line.unknown().get(0);
        String assignment = OptionTable.ENGINE_OPTION.flag() + " ";
        String meant = flag.startsWith(assignment) ? "--" + flag.substring(assignment.length()) : flag;
        throw MusterException.usage("there is no option " + Printable.escape(flag)
                + suggestion(meant, flags(line, known)) + "; muster "
                + line.command().word()
                + " --help lists them");
    }

    /** Ours with underscores, or an option of another launcher, else a slip of the finger. */
    private static String suggestion(String flag, List<String> known) {
        String dashed = flag.replace('_', '-');
        Optional<String> advice = known.contains(dashed) ? Optional.of(dashed) : PeerOptions.advice(flag, known);
        return advice.map(text -> text.startsWith("--") ? " (did you mean " + text + "?)" : " (" + text + ")")
                .orElseGet(() -> Nearest.suggestion(flag, known));
    }

    private static List<String> flags(CommandLine line, KnownOptions known) {
        List<String> flags = new ArrayList<>();
        for (Option option : known.optionsOf(line.command())) {
            flags.add(option.flag());
        }
        return flags;
    }
}
