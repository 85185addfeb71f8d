package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.Optional;

/**
 * A parsed command line. Its values are not checked.
 *
 * @param command the word it began with; {@link Command#LAUNCH} when there was none
 * @param options in the order given
 * @param unknown flags that are not in the table, as they were written
 * @param job the training command, which follows {@code --}; or the words of a command that takes words
 */
record CommandLine(Command command, List<Setting> options, List<String> unknown, List<String> job) {

    /**
     * Refuses unknown flags.
     *
     * @param known the options of Muster, and of the chosen engine if there is one
     */
    void refuseUnknown(KnownOptions known) {
        if (unknown.isEmpty()) {
            return;
        }
        String flag = unknown.get(0);
        String assignment = OptionTable.ENGINE_OPTION.flag() + " ";
        String meant = flag.startsWith(assignment) ? "--" + flag.substring(assignment.length()) : flag;
        List<String> flags = known.longFlagsOf(command);
        String hint = command.isForLaunchers() ? Nearest.suggestion(meant, flags) : suggestion(meant, flags);
        throw MusterException.usage("there is no option " + Printable.escape(flag) + hint + "; muster " + command.word()
                + " --help lists them");
    }

    /** Muster's flag with dashes, or advice for another launcher's option, else the nearest flag. */
    private static String suggestion(String flag, List<String> known) {
        String dashed = flag.replace('_', '-');
        Optional<String> advice = known.contains(dashed) ? Optional.of(dashed) : PeerOptions.advice(flag, known);
        return advice.map(text -> text.startsWith("--") ? " (did you mean " + text + "?)" : " (" + text + ")")
                .orElseGet(() -> Nearest.suggestion(flag, known));
    }
}
