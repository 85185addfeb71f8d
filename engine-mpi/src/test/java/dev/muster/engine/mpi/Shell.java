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

/** Runs the engine's shell scripts. Test programs come first in PATH. */
final class Shell {

    /** The exit code of a script, its standard output and its standard error. */
    record Ended(int code, String output, String errors) {}

    private final Path directory;
    private final Path programs;

    /** @param directory for the test programs and the output */
    Shell(Path directory) throws IOException {
        this.directory = directory;
        this.programs = Files.createDirectory(directory.resolve("bin"));
    }

    /** Makes a test program of some lines of shell, and returns its path. */
    String program(String name, String text) throws IOException {
        return program(programs, name, text);
    }

    /** Makes a program in a directory, for all users. */
    static String program(Path programs, String name, String text) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"))
                .toString();
    }

    /** The text of a script of the engine. */
    static String text(GeneratedFile script) {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS).file(script).build();
        return EngineResources.read(plan, MpiEngine.class).files().get(0).content();
    }

    /** Writes a script of the engine into a directory, as in a run. */
    static String put(GeneratedFile script, Path directory) throws IOException {
        return Files.writeString(directory.resolve(script.name()), text(script)).toString();
    }

    /** Runs a script: its file and its arguments. */
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
