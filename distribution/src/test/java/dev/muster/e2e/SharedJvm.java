package dev.muster.e2e;

import dev.muster.runtime.app.SharedLauncher;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A JVM with the product's jar that answers the calls of all tests, one after another. It ends with the JVM of the tests. */
final class SharedJvm {

    private static final Map<Jdk, SharedJvm> ALL = new ConcurrentHashMap<>();

    private final Process process;
    private final OutputStream calls;
    private final InputStream answers;

    private SharedJvm(Jdk jdk) {
        ProcessBuilder builder = new ProcessBuilder(command(jdk)).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", Invocation.PATH, "LANG", "C.UTF-8"));
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        calls = process.getOutputStream();
        answers = new BufferedInputStream(process.getInputStream());
    }

    static SharedJvm of(Jdk jdk) {
        return ALL.computeIfAbsent(jdk, SharedJvm::new);
    }

    private static List<String> command(Jdk jdk) {
        // If the machine allows namespaces, the JVM can change its host name.
        List<String> command =
                new ArrayList<>(Components.canMakeNamespaces() ? List.of("unshare", "--uts", "--") : List.of());
        command.addAll(List.of(jdk.java().toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", Product.jar() + ":" + testClasses(), SharedLauncher.class.getName()));
        return command;
    }

    private static Path testClasses() {
        try {
            return Path.of(SharedLauncher.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    synchronized Result answer(SharedLauncher.Call call) {
        try {
            call.writeTo(calls);
            calls.flush();
            return CompletableFuture.supplyAsync(() -> readAnswer(answers))
                    .get(Await.LONG.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException failed) {
            process.destroyForcibly();
            ALL.values().remove(this);
            throw new AssertionError("no answer to " + call, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }

    /** The result of a call. */
    private static Result readAnswer(InputStream answers) {
        long begin = System.nanoTime();
        byte[] output = readPart(answers);
        int exitCode = Integer.parseInt(new String(readPart(answers), StandardCharsets.UTF_8));
        byte[] messages = readPart(answers);
        return new Result(exitCode, output, messages, Duration.ofNanos(System.nanoTime() - begin));
    }

    private static byte[] readPart(InputStream answers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            for (int next = answers.read(); next != SharedLauncher.SEPARATOR; next = answers.read()) {
                if (next < 0) {
                    throw new IllegalStateException("the JVM has ended after: " + bytes);
                }
                bytes.write(next);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return bytes.toByteArray();
    }
}
