package dev.muster.runtime.cli;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.OtherEngines;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Refuses flags that nobody knows. */
final class UnknownOptions {

    private UnknownOptions() {}

    /** @param others asked whether a flag belongs to another engine than the one that was chosen, if one was */
    static void refuse(CommandLine line, OptionTable table, Optional<OtherEngines> others) {
        if (line.unknown().isEmpty()) {
            return;
        }
        String flag = line.unknown().get(0);
        String assignment = OptionTable.ENGINE_OPTION.flag() + " ";
        String meant = flag.startsWith(assignment) ? "--" + flag.substring(assignment.length()) : flag;
        if (others.isPresent()
                && meant.startsWith("--")
                && others.get().optionNames().contains(meant.substring(2))) {
            throw MusterException.usage(
                    Printable.escape(flag) + " belongs to another engine than the one chosen; muster "
                            + line.command().word() + " --engine E --help shows an engine's options");
        }
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
