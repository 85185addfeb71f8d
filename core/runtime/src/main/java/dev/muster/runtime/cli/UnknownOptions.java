package dev.muster.runtime.cli;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** Refuses flags that nobody knows. */
final class UnknownOptions {

    private UnknownOptions() {}

    /** @param table with the options of the chosen engine, if one is chosen; those of others are unknown to it */
    static void refuse(CommandLine line, OptionTable table) {
        if (line.unknown().isEmpty()) {
            return;
        }
        String flag = line.unknown().get(0);
        String assignment = OptionTable.ENGINE_OPTION.flag() + " ";
        String meant = flag.startsWith(assignment) ? "--" + flag.substring(assignment.length()) : flag;
        throw MusterException.usage("there is no option " + Printable.escape(flag)
                + Nearest.suggestion(meant, flags(line, table)) + "; muster "
                + line.command().word()
                + " --help lists them");
    }

    private static List<String> flags(CommandLine line, OptionTable table) {
        List<String> flags = new ArrayList<>();
        for (Option option : table.optionsOf(line.command())) {
            flags.add(option.flag());
        }
        return flags;
    }
}
