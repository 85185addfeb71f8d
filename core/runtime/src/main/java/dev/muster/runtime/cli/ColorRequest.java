package dev.muster.runtime.cli;

import dev.muster.runtime.config.OptionTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether the user wants colours. This is known before the rest of the command line is read, so that refusals have colours, too. */
public final class ColorRequest {

    private ColorRequest() {}

    /** @param isTerminal whether the lines go to one */
    public static boolean isRequested(List<String> arguments, Map<String, String> variables, boolean isTerminal) {
        Optional<String> chosen = OptionTable.COLOR
                .valueIn(arguments)
                .or(() -> OptionTable.COLOR.variable().map(variables::get))
                .filter(value -> !value.isEmpty());
        if (chosen.isPresent() && !chosen.get().equals("auto")) {
            return chosen.get().equals("always");
        }
        boolean isForced = !Set.of("", "0").contains(variables.getOrDefault("CLICOLOR_FORCE", ""));
        boolean isShown = isTerminal && !"dumb".equals(variables.get("TERM"));
        return variables.getOrDefault("NO_COLOR", "").isEmpty() && (isForced || isShown);
    }
}
