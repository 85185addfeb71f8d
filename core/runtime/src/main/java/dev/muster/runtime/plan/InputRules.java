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
final class InputRules implements Input.Cases<String> {

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
            String path = input.fold(this);
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

    @Override
    public String jsonFile(Input.JsonFile json) {
        json.nameInDirectory()
                .ifPresent(name -> PlaceRules.checkName(name, what(json) + " is looked for as", problems));
        return json.path();
    }

    /** It has no path but what it is called. */
    @Override
    public String jsonText(Input.JsonText text) {
        return "/";
    }

    @Override
    public String textFile(Input.TextFile text) {
        return text.path();
    }

    @Override
    public String listing(Input.Listing listing) {
        return listing.path();
    }

    @Override
    public String newestFile(Input.NewestFile newest) {
        return newest.pattern();
    }

    @Override
    public String program(Input.Program program) {
        for (String directory : program.alsoIn()) {
            problems.require(
                    isPath(directory),
                    what(program) + " is looked for in " + Printable.quote(directory) + ", which is no path");
        }
        return program.name();
    }

    @Override
    public String commandOutput(Input.CommandOutput command) {
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
