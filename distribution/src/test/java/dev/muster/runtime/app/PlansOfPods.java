package dev.muster.runtime.app;

import dev.muster.runtime.cli.Request;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Console;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what {@code muster plan} does for one pod after the other: a JVM for each would take longer than its plan. Needs a UTS namespace
 * of its own, and its rights.
 */
public final class PlansOfPods {

    /** Stands between what is printed for one pod and for the next, and before exit code and messages of each. */
    public static final String SEPARATOR = "\u001d";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private PlansOfPods() {}

    /**
     * A launcher that is called in a pod.
     *
     * @param hostName what the pod is called
     * @param arguments of the launcher, {@code plan} first
     */
    public record Call(String hostName, Map<String, String> environment, List<String> arguments) {

        public Call {
            environment = Map.copyOf(environment);
            arguments = List.copyOf(arguments);
        }

        /** Writes it as it is read here. */
        public void writeTo(DataOutputStream out) throws IOException {
            out.writeUTF(hostName);
            out.writeInt(environment.size());
            for (Map.Entry<String, String> variable : environment.entrySet()) {
                out.writeUTF(variable.getKey());
                out.writeUTF(variable.getValue());
            }
            out.writeInt(arguments.size());
            for (String argument : arguments) {
                out.writeUTF(argument);
            }
        }

        static Call readFrom(DataInputStream in) throws IOException {
            String hostName = in.readUTF();
            Map<String, String> environment = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                environment.put(in.readUTF(), in.readUTF());
            }
            List<String> arguments = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                arguments.add(in.readUTF());
            }
            return new Call(hostName, environment, arguments);
        }
    }

    /** Reads from standard input how many calls there are, and the calls. */
    public static void main(String[] none) throws IOException, InterruptedException {
        DataInputStream calls = new DataInputStream(new BufferedInputStream(System.in));
        for (int left = calls.readInt(); left > 0; left--) {
            answer(Call.readFrom(calls));
        }
        // As the launcher: it does not wait for threads that others have made.
        Runtime.getRuntime().halt(0);
    }

    private static void answer(Call call) throws IOException, InterruptedException {
        Files.writeString(HOST_NAME, call.hostName());
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int exitCode;
        try (Console console = Console.onto(OutputStream.nullOutputStream(), messages)) {
            exitCode = plan(call, console);
        } catch (MusterException refused) {
            exitCode = refused.exitCode().code();
            messages.writeBytes(String.valueOf(refused.getMessage()).getBytes(StandardCharsets.UTF_8));
        }
        StandardOutput.write(SEPARATOR + exitCode + SEPARATOR + messages.toString(StandardCharsets.UTF_8) + SEPARATOR);
    }

    private static int plan(Call call, Console console) throws InterruptedException {
        Commands commands = CommandsHere.of(
                call.arguments(), call.environment(), Path.of("").toAbsolutePath(), console);
        return commands.plan().get().run(((Request.Job) commands.requests().read()).invocation());
    }
}
