package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.launch.EngineResources;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs our shell scripts, with programs of the test's own before all others. */
final class Shell {

    /** How a script ended, its standard output, and what it said on the other one. */
    record Ended(int code, String output, String errors) {}

    private final Path directory;
    private final Path programs;

    /** @param directory for the programs, and for the output */
    Shell(Path directory) throws IOException {
        this.directory = directory;
        this.programs = Files.createDirectory(directory.resolve("bin"));
    }

    /** Makes a program of some lines of shell, and tells where it is. */
    String program(String name, String text) throws IOException {
        return program(programs, name, text);
    }

    /** The same in a directory, for all users. */
    static String program(Path programs, String name, String text) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"))
                .toString();
    }

    /** The text of a script of the engine's. */
    static String text(GeneratedFile script) {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS).file(script).build();
        return EngineResources.read(plan, MpiEngine.class).files().get(0).content();
    }

    /** Writes a script of the engine's into a directory, as a run has it. */
    static String put(GeneratedFile script, Path directory) throws IOException {
        return Files.writeString(directory.resolve(script.name()), text(script)).toString();
    }

    /** Runs a script; the words are its file and its arguments. */
    Ended run(Map<String, String> variables, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("/bin/sh"));
        command.addAll(List.of(words));
        Path output = directory.resolve("output");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(output), Files.readString(errors));
    }
}
