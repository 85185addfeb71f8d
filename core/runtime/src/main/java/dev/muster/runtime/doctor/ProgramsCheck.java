package dev.muster.runtime.doctor;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.TextResource;
import dev.muster.spi.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The programs that the engine needs besides the user's own, and the Python of the command with its frameworks. */
final class ProgramsCheck {

    /** Programs that answer {@code --version}; others are not started. */
    private static final Pattern VERSIONED = Pattern.compile(".*/(?:mpirun|horovodrun|taskset|sshd)");

    private static final Pattern NUMBER = Pattern.compile(".*[0-9]+\\.[0-9]+.*");
    private static final Pattern PYTHON = Pattern.compile("(?:.*/)?python[0-9.]*");

    private ProgramsCheck() {}

    /** The programs. The plan refuses a missing program, if it is needed. */
    static Stream<Finding> findings(NodeFacts node) {
        Stream<Finding> ofEngine = node.launch().programs().stream()
                .flatMap(program -> place(node, program).stream())
                .map(path -> Finding.of("program", path.getFileName(), path, version(node, path)));
        String own = node.request().commandOrUsual().get(0);
        return PYTHON.matcher(own).matches() ? Stream.concat(ofEngine, python(node, own)) : ofEngine;
    }

    private static Optional<Path> place(NodeFacts node, Input.Program program) {
        return Executables.find(program.name(), node.variable("PATH"), program.alsoIn(), node.workDirectory());
    }

    /** The version of a program. Even a program that does not know the option prints it. */
    private static String version(NodeFacts node, Path program) {
        boolean isAsked = VERSIONED.matcher(program.toString()).matches();
        String question = isAsked ? "\"$0\" --version 2>&1" : ":";
        Matcher line = NUMBER.matcher(
                node.ask("/bin/sh", "-c", question, program.toString()).output());
        return line.find() ? ": " + line.group() : "";
    }

    /** Nothing is imported, because that takes seconds. The launch itself reports that a given command is missing. */
    private static Stream<Finding> python(NodeFacts node, String program) {
        CommandRunner.Answer answer = node.ask(program, "-c", TextResource.read(ProgramsCheck.class, "versions.py"));
        if (answer.exitCode() == ExitCode.NOT_FOUND.code()) {
            return node.request().command().isEmpty() && node.request().job().isPresent()
                    ? Stream.of(Finding.of("python.missing", program))
                    : Stream.empty();
        }
        if (answer.exitCode() != 0) {
            return Stream.of(Finding.of("python.broken", program, answer.exitCode()));
        }
        List<String> lines = answer.output().lines().toList();
        Stream<Finding> missing = framework(node)
                .filter(name -> lines.stream().noneMatch(line -> line.startsWith(name + " ")))
                .map(name -> Finding.of("framework.missing", name, program));
        return Stream.concat(Stream.of(Finding.of("program", program, String.join(", ", lines), "")), missing);
    }

    /** The framework whose variables the engine sets. */
    private static Stream<String> framework(NodeFacts node) {
        boolean isOfTorch = node.serves("TORCHELASTIC_RUN_ID");
        return isOfTorch ? Stream.of("torch") : node.serves("TF_CONFIG") ? Stream.of("tensorflow") : Stream.empty();
    }
}
