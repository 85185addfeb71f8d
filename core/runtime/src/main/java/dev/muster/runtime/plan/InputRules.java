package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Input;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** What an engine asks for before it can plan, each by itself and beside the others. */
final class InputRules {

    /** For deadlines of engines: no clock of the JVM counts to any that there may be. */
    static final Duration LONGEST = Duration.ofDays(365);

    private final Problems problems;
    private final Set<String> ids = new HashSet<>();

    InputRules(Problems problems) {
        this.problems = problems;
    }

    void check(Collection<Input> inputs) {
        for (Input input : inputs) {
            String what = what(input);
            problems.require(ids.add(input.id()), what + " is asked for twice");
            String path = path(input);
            problems.require(isPath(path), what + " has " + Printable.quote(path) + ", which is no path");
        }
    }

    private static String what(Input input) {
        return "input " + Printable.quote(input.id());
    }

    private static boolean isPath(String path) {
        try {
            return !Path.of(path).toString().isEmpty();
        } catch (InvalidPathException wrong) {
            return false;
        }
    }

    /** The path, or the word that stands for one. */
    private String path(Input input) {
        if (input instanceof Input.TextFile text) {
            return text.path();
        }
        if (input instanceof Input.Listing listing) {
            return listing.path();
        }
        if (input instanceof Input.JsonFile json) {
            json.nameInDirectory()
                    .ifPresent(name -> PlaceRules.checkName(name, what(json) + " is looked for as", problems));
            return json.path();
        }
        return word(input);
    }

    private String word(Input input) {
        if (input instanceof Input.Program program) {
            for (String directory : program.alsoIn()) {
                problems.require(
                        isPath(directory),
                        what(program) + " is looked for in " + Printable.quote(directory) + ", which is no path");
            }
            return program.name();
        }
        // A text has no path but what it is called.
        return input instanceof Input.CommandOutput command ? program(command) : "/";
    }

    private String program(Input.CommandOutput command) {
        String what = what(command);
        boolean isSoon = !command.deadline().isNegative()
                && !command.deadline().isZero()
                && command.deadline().compareTo(LONGEST) <= 0;
        problems.require(isSoon, what + " is a command with the deadline " + command.deadline());
        problems.require(
                command.command().stream().allMatch(word -> word.indexOf('\0') < 0),
                what + " is a command with a NUL character");
        return command.command().isEmpty() ? "" : command.command().get(0);
    }
}
