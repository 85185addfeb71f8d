package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds arguments and variables that are too long for Linux. Messages never show their values. */
final class SizeRules {

    /** Bytes of one argument, or of one variable with its name: MAX_ARG_STRLEN less the terminating zero. */
    private static final int LONGEST = 131_071;

    /** The longest path in Linux, for paths that are known later. */
    private static final int LONGEST_PATH = 4096;

    /** Digits of a free port, which is known later too. */
    private static final int LONGEST_NUMBER = 5;

    private final Problems problems;

    /** The inherited variables that are too long. The others are not kept: there may be thousands. */
    private final Map<String, Integer> tooLong = new LinkedHashMap<>();

    private final Set<String> told = new HashSet<>();

    SizeRules(Map<String, String> environment, Problems problems) {
        this.problems = problems;
        environment.forEach((name, value) -> {
            int size = bytes(name) + 1 + bytes(value);
            if (size > LONGEST) {
                tooLong.put(name, size);
            }
        });
    }

    void check(LaunchPlan plan) {
        for (ProcessSpec process : plan.processes()) {
            checkVariables(process.launch().environment());
            checkArguments(process.id(), process.launch().command());
        }
    }

    private void checkVariables(EnvironmentChange change) {
        tooLong.forEach((name, size) -> {
            if (!change.set().containsKey(name) && !change.remove().contains(name)) {
                checkVariable(name, size, "Unset or shorten it");
            }
        });
        String remedy = "Muster sets it: shorten what it is made of, such as the names of hosts";
        change.set().forEach((name, value) -> checkVariable(name, bytes(name) + 1 + bytes(value), remedy));
    }

    private void checkArguments(String id, List<Value> command) {
        for (int position = 0; position < command.size(); position++) {
            int size = bytes(command.get(position));
            if (size > LONGEST) {
                problems.impossible("argument " + position + " of " + Printable.escape(id) + " is " + size
                        + " bytes; Linux allows " + LONGEST + ". Pass it in a file");
            }
        }
    }

    private void checkVariable(String name, int size, String remedy) {
        if (size > LONGEST && told.add(name)) {
            problems.impossible("environment variable " + Printable.escape(name) + " is " + size
                    + " bytes with its name; Linux allows " + LONGEST + " per variable. " + remedy);
        }
    }

    /** How many bytes a value can have at most. */
    private static int bytes(Value value) {
        return switch (value.kind()) {
            case LITERAL -> bytes(value.text());
            case PATH_OF, PRIVATE_DIRECTORY, SUPERVISOR -> LONGEST_PATH;
            case FREE_PORT -> LONGEST_NUMBER;
            // The text of a resource stands in the plan by now.
            case RESOURCE -> 0;
            case JOINED -> value.parts().stream().mapToInt(SizeRules::bytes).sum();
        };
    }

    /** Length in UTF-8. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
