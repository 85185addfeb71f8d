package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is too big for Linux to be passed to a process. Values are never shown. */
final class SizeRules {

    /** A pointer to each argument and variable counts, too. */
    private static final int POINTER = 8;

    /** Paths of files are known later; Linux has none that are longer. */
    private static final int LONGEST_PATH = 4096;

    /** Digits of a free port, which is known later too. */
    private static final int LONGEST_NUMBER = 5;

    private final Map<String, String> environment;
    private final ExecLimits limits;
    private final Problems problems;

    /** Of what processes inherit, only what is too long: there may be thousands of variables. */
    private final Map<String, Integer> tooLong = new LinkedHashMap<>();

    private long inheritedTotal;

    SizeRules(Map<String, String> environment, ExecLimits limits, Problems problems) {
        this.environment = environment;
        this.limits = limits;
        this.problems = problems;
    }

    void check(LaunchPlan plan) {
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            int size = bytes(variable.getKey()) + 1 + bytes(variable.getValue());
            if (size > limits.longest()) {
                tooLong.put(variable.getKey(), size);
            }
            inheritedTotal += size + 1 + POINTER;
        }
        for (ProcessSpec process : plan.processes()) {
            check(process.id(), process.launch());
        }
    }

    private void check(String id, Launch launch) {
        long variables = variables(launch);
        long arguments = arguments(id, launch.command());
        long total = variables + arguments;
        if (total > ExecLimits.ALWAYS_GRANTED && total > limits.total().getAsLong()) {
            problems.impossible("the environment (" + variables + " bytes) and the arguments (" + arguments
                    + " bytes) of "
                    + Printable.escape(id) + " exceed the " + limits.total().getAsLong()
                    + " bytes that Linux can pass to a process. Unset variables, or raise ulimit -s");
        }
    }

    private long variables(Launch launch) {
        long total = inheritedTotal;
        Set<String> changed = new HashSet<>(launch.environment().set().keySet());
        changed.addAll(launch.environment().remove());
        for (String name : changed) {
            String value = environment.get(name);
            total -= value == null ? 0 : bytes(name) + 1 + bytes(value) + 1 + POINTER;
        }
        tooLong.forEach((name, size) -> {
            if (!changed.contains(name)) {
                checkVariable(name, size);
            }
        });
        for (Map.Entry<String, Value> variable : launch.environment().set().entrySet()) {
            int size = bytes(variable.getKey()) + 1 + bytes(variable.getValue());
            checkVariable(variable.getKey(), size);
            total += size + 1 + POINTER;
        }
        return total;
    }

    private long arguments(String id, List<Value> command) {
        long total = 0;
        for (int position = 0; position < command.size(); position++) {
            int size = bytes(command.get(position));
            if (size > limits.longest()) {
                problems.impossible("argument " + position + " of " + Printable.escape(id) + " is " + size
                        + " bytes; Linux allows " + limits.longest() + ". Pass it in a file");
            }
            total += size + 1 + POINTER;
        }
        return total;
    }

    private void checkVariable(String name, int size) {
        if (size > limits.longest()) {
            problems.impossible("environment variable " + Printable.escape(name) + " is " + size
                    + " bytes with its name; Linux allows " + limits.longest() + " per variable. Unset or shorten it");
        }
    }

    /** How many bytes a value can have at most. */
    private static int bytes(Value value) {
        return switch (value.kind()) {
            case LITERAL -> bytes(value.text());
            case PATH_OF, PRIVATE_DIRECTORY, SUPERVISOR -> LONGEST_PATH;
            case FREE_PORT -> LONGEST_NUMBER;
            // Only files have an environment, and the text of a resource stands in the plan by now.
            case ENVIRONMENT_OF, RESOURCE -> 0;
            case JOINED -> value.parts().stream().mapToInt(SizeRules::bytes).sum();
        };
    }

    /** Length in UTF-8, without making the bytes. */
    static int bytes(String text) {
        int bytes = text.length();
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character >= 0x80) {
                // Half a pair of surrogates counts two: four bytes for both.
                bytes += character < 0x800 || Character.isSurrogate(character) ? 1 : 2;
            }
        }
        return bytes;
    }
}
