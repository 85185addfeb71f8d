package dev.muster.runtime.plan;

import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Values name what exists, and are known when they are needed. */
final class ValueRules {

    private final LaunchPlan plan;
    private final Problems problems;
    private final Set<String> files = new HashSet<>();

    ValueRules(LaunchPlan plan, Problems problems) {
        this.plan = plan;
        this.problems = problems;
        plan.files().forEach(file -> files.add(file.id()));
    }

    void check() {
        for (ProcessSpec process : plan.processes()) {
            check(process, "process " + Printable.quote(process.id()));
        }
        for (GeneratedFile file : plan.files()) {
            checkInFile(file.text(), "file " + Printable.quote(file.id()));
        }
    }

    /** A file may have any character. */
    private void checkInFile(Value text, String what) {
        for (Value part : text.leaves()) {
            if (!part.isKnown()) {
                checkPart(part, what);
            }
        }
    }

    private void check(ProcessSpec process, String what) {
        Launch launch = process.launch();
        for (Value argument : launch.command()) {
            check(argument, what + ", an argument");
        }
        for (Map.Entry<String, Value> variable : launch.environment().set().entrySet()) {
            check(variable.getValue(), what + ", variable " + Printable.escape(variable.getKey()));
        }
    }

    /** Every part by itself. */
    private void check(Value value, String what) {
        for (Value part : value.leaves()) {
            checkPart(part, what);
        }
    }

    private void checkPart(Value part, String what) {
        String text = part.text();
        switch (part.kind()) {
            case LITERAL -> problems.require(text.indexOf('\0') < 0, what + " has a NUL character");
            case PATH_OF ->
                problems.require(
                        files.contains(text),
                        what + " names the file " + Printable.quote(text) + ", which the plan does not write");
            case FREE_PORT ->
                problems.require(
                        SafeName.matches(text),
                        what + " wants a free port called " + Printable.quote(text) + "; allowed: " + SafeName.FORM);
            case PRIVATE_DIRECTORY, SUPERVISOR, RESOURCE, JOINED -> {}
        }
    }
}
