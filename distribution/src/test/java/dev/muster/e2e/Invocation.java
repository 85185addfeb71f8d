package dev.muster.e2e;

import dev.muster.runtime.app.SharedLauncher;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A command before its start: arguments, environment, directory, standard input. */
final class Invocation {

    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Scene scene;
    private final List<String> command = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private Path directory;
    private File input = new File("/dev/null");

    Invocation(Scene scene, List<String> command) {
        this.scene = scene;
        this.command.addAll(command);
        this.directory = scene.directory();
        environment.put("PATH", PATH);
        environment.put("HOME", scene.directory().toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("JAVA_HOME", scene.jdk().home().toString());
        environment.put(Processes.TAG, scene.tag());
    }

    /** Appends arguments. */
    Invocation with(String... arguments) {
        command.addAll(List.of(arguments));
        return this;
    }

    /** Puts another program in front, which must run the words after it. */
    Invocation behind(String... words) {
        command.addAll(0, List.of(words));
        return this;
    }

    /** Runs shell commands first; the program then replaces the shell. */
    Invocation after(String shellCommands) {
        return behind("/bin/sh", "-c", shellCommands + "\nexec \"$@\"", "sh");
    }

    Invocation set(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Invocation set(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    Invocation unset(String... names) {
        environment.keySet().removeAll(List.of(names));
        return this;
    }

    Invocation in(Path newDirectory) {
        directory = newDirectory;
        return this;
    }

    Invocation reading(Path file) {
        input = file.toFile();
        return this;
    }

    /** A copy of the environment. */
    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    List<String> command() {
        return List.copyOf(command);
    }

    /** Starts it and does not wait. */
    Launched start() {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Path output = scene.capture("out");
        Path errors = scene.capture("err");
        builder.redirectInput(input).redirectOutput(output.toFile()).redirectError(errors.toFile());
        long startedAt = System.nanoTime();
        try {
            return scene.launched(new Launched(command(), builder.start(), output, errors, startedAt));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + command, failed);
        }
    }

    /**
     * The result of a package's launcher, in a JVM that many calls share: for cases that are decided before any process starts.
     * It uses no start script, supervisor or real streams, so a test must also {@link #run} a launch of the same kind.
     */
    Result answer() {
        return answer(Optional.empty());
    }

    /** The same on a host with another name, which needs root and a namespace. */
    Result answerOn(String hostName) {
        Components.requireRoot();
        Components.require("unshare");
        return answer(Optional.of(hostName));
    }

    private Result answer(Optional<String> hostName) {
        Path script = Path.of(command.get(0));
        if (!script.endsWith("bin/muster")) {
            throw new IllegalStateException("no launcher of a package: " + command);
        }
        Path home = script.resolve("../..").normalize();
        List<String> arguments = command.subList(1, command.size());
        return SharedJvm.of(scene.jdk())
                .answer(new SharedLauncher.Call(hostName, home, directory, environment, arguments));
    }

    /** Starts it and waits for its end. */
    Result run() {
        return start().await();
    }
}
