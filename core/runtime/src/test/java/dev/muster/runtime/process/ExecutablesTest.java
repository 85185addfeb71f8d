package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutablesTest {

    @TempDir
    Path directory;

    @Test
    void aNameIsLookedUpInTheSearchPathInOrder() throws IOException {
        Path first = program("first/train", "#!/bin/sh\n");
        program("second/train", "#!/bin/sh\n");

        assertThat(Executables.resolve(
                        "train",
                        Optional.of(directory + "/none:" + directory + "/first:" + directory + "/second"),
                        directory))
                .isEqualTo(first);
    }

    @Test
    void aFileThatCannotBeExecutedDoesNotHideALaterOne() throws IOException {
        Files.createDirectories(directory.resolve("first"));
        Files.writeString(directory.resolve("first/train"), "text");
        Path second = program("second/train", "#!/bin/sh\n");

        assertThat(Executables.resolve("train", Optional.of(directory + "/first:" + directory + "/second"), directory))
                .isEqualTo(second);
    }

    @Test
    void aRelativePathStartsInTheWorkingDirectory() throws IOException {
        Path program = program("bin/train", "#!/bin/sh\n");

        assertThat(Executables.resolve("bin/train", Optional.empty(), directory))
                .isEqualTo(program);
    }

    @Test
    void aPathThatDoesNotExistIsNotFound() {
        assertThat(refusal("/no/such/program", "").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refusal("./train.sh", "")).hasMessageContaining("not found in " + directory);
        assertThat(refusal("", "").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void whatAShellWouldUnderstandIsToldAsItIsWrittenHere() throws IOException {
        program("train.py", "");

        assertThat(refusal("train.py", "/bin")).hasMessageEndingWith(directory + ": write python3 train.py");
        assertThat(refusal("python3 train.py", "/bin")).hasMessageContaining("Write each word by itself");
        assertThat(refusal("A=/x python3", "/bin")).hasMessageEndingWith("Write variables before muster");
    }

    @Test
    void aFileWithoutTheRightToExecuteSaysHowToGiveIt() throws IOException {
        Path script = Files.writeString(directory.resolve("train.sh"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));

        MusterException refused = refusal("./train.sh", "");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.NOT_EXECUTABLE);
        assertThat(refused).hasMessageContaining("it is not executable (mode rw-r--r--); chmod +x " + script);
    }

    @Test
    void aDirectoryCannotBeExecuted() {
        assertThat(refusal(directory.toString(), "")).hasMessageContaining("it is a directory");
    }

    @Test
    void anInterpreterThatDoesNotExistIsBlamedInsteadOfTheScript() throws IOException {
        program("train.sh", "#!/no/such/interpreter -x\n");

        assertThat(refusal("./train.sh", ""))
                .hasMessageContaining("its interpreter /no/such/interpreter does not exist");
    }

    @Test
    void anInterpreterMayHaveAnyName() throws IOException {
        Path interpreter = program("j\u00f6rg/sh", "");
        program("train.sh", "#!" + interpreter + "\n");

        assertThat(Executables.resolve("./train.sh", Optional.empty(), directory))
                .exists();
    }

    @Test
    void thePathThatTheKernelFollowsIsFollowed() throws IOException {
        Path train = program("42/bin/train", "");
        Files.createDirectory(directory.resolve("42/src"));
        Files.createSymbolicLink(directory.resolve("current"), directory.resolve("42/src"));

        assertThat(Executables.resolve("current/../bin/train", Optional.empty(), directory))
                .hasSameBinaryContentAs(train);
    }

    @Test
    void whatIsNoTextIsLookedForNowhere() throws IOException {
        program("bin/train", "");

        String path = "caf\udce9:" + directory.resolve("bin");
        assertThat(Executables.resolve("train", Optional.of(path), directory)).exists();
        assertThat(refusal("./caf\udce9", "")).hasMessageContaining("is not in the encoding of this locale");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#!/bin/sh\r\n", "#! /bin/sh\r\n", "#!/bin/sh\r", "#!/usr/bin/env sh\r\n", "#!/no/sh\r\n"})
    void windowsLineEndsAreNamedWhereTheyHideTheInterpreter(String line) throws IOException {
        program("train.sh", line + "echo\r\n");

        assertThat(refusal("./train.sh", ""))
                .hasMessageContaining("its first line ends with \\r\\n, as on Windows")
                .hasMessageContaining("sed -i 's/\\r$//' " + directory.resolve("train.sh"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"#!/bin/sh\n#\r\n", "#!/usr/bin/env -S sh\r\n", "#!/bin/sh -e \r\n"})
    void otherWindowsLineEndsAreTheInterpretersAffair(String text) throws IOException {
        program("train.sh", text);

        assertThat(Executables.resolve("./train.sh", Optional.empty(), directory))
                .exists();
    }

    @Test
    void aProgramForAnotherMachineIsRefused() throws IOException {
        byte[] elf = Files.readAllBytes(Path.of("/proc/self/exe"));
        byte[] head = java.util.Arrays.copyOf(elf, 64);
        head[18] = 22; // IBM S/390: the tests never run there.
        head[19] = 0;
        Path program = program("train", "");
        Files.write(program, head);

        assertThat(refusal("./train", "")).hasMessageContaining("it is a program for machine 22, this is ");
    }

    private MusterException refusal(String program, String searchPath) {
        return catchThrowableOfType(
                MusterException.class, () -> Executables.resolve(program, Optional.of(searchPath), directory));
    }

    private Path program(String name, String content) throws IOException {
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        return path;
    }
}
