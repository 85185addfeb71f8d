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
 * A command line taken apart; no value in it is checked.
 *
 * @param command the word it began with; {@link Command#LAUNCH} when there was none
 * @param options in the order given
 * @param unknown flags that are not in the table, as they were written
 * @param job the training command: what follows {@code --}; of commands that take words: these
 */
record CommandLine(Command command, List<Setting> options, List<String> unknown, List<String> job) {

    /**
     * Refuses flags that nobody knows.
     *
     * @param known with the options of the chosen engine, if one is chosen; those of others are unknown to it
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

    /** Ours with underscores, or an option of another launcher, else a slip of the finger. */
    private static String suggestion(String flag, List<String> known) {
        String dashed = flag.replace('_', '-');
        Optional<String> advice = known.contains(dashed) ? Optional.of(dashed) : PeerOptions.advice(flag, known);
        return advice.map(text -> text.startsWith("--") ? " (did you mean " + text + "?)" : " (" + text + ")")
                .orElseGet(() -> Nearest.suggestion(flag, known));
    }
}
