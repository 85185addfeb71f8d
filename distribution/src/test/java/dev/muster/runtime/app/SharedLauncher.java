package dev.muster.runtime.app;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.cli.Request;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.doctor.DoctorCommand;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.manifest.ManifestCommand;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.AttachedSupervisor;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.simulate.SimulateCommand;
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
import java.util.Optional;

/**
 * Answers one call of the launcher after another in one JVM, since a JVM per call would take longer. It is for calls that start no rank.
 * To change the host name it needs a UTS namespace of its own and the rights in it.
 */
public final class SharedLauncher {

    /** Ends the output of a call, and its exit code and messages. */
    public static final char SEPARATOR = '\u001d';

    private static final String OF_TESTS = "E2E_";
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** The supervisor. It starts with the first process: most calls start none. */
    private static final Lazy SUPERVISOR = new Lazy();

    private SharedLauncher() {}

    /** The supervisor that all calls share. */
    private static final class Lazy {

        private Optional<AttachedSupervisor> started = Optional.empty();

        synchronized ProcessSupervisor get() {
            if (started.isEmpty()) {
                started = Optional.of(AttachedSupervisor.startWithoutSignals(
                        ProcessInfo.ofJvm(new String[0]), ProcessInfo.machine(), System::nanoTime));
            }
            return started.orElseThrow().connection();
        }

        synchronized void end() {
            started.ifPresent(supervisor -> {
                supervisor.connection().setExitCode(0);
                supervisor.awaitEnd();
            });
        }
    }

    /**
     * A call of the launcher.
     *
     * @param hostName name of the host; empty: unchanged
     * @param home of the package
     * @param directory working directory of the call
     */
    public record Call(
            Optional<String> hostName,
            Path home,
            Path directory,
            Map<String, String> environment,
            List<String> arguments) {

        public Call {
            environment = Map.copyOf(environment);
            arguments = List.copyOf(arguments);
        }

        /** Writes the call in the form that this class reads. */
        public void writeTo(OutputStream calls) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            write(out, List.of(hostName.orElse(""), home.toString(), directory.toString()));
            write(out, List.copyOf(environment.keySet()));
            write(out, List.copyOf(environment.values()));
            write(out, arguments);
            bytes.writeTo(calls);
        }

        private static void write(DataOutputStream out, List<String> texts) throws IOException {
            out.writeInt(texts.size());
            for (String text : texts) {
                // writeUTF cannot write texts of this length.
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }

        private static List<String> read(DataInputStream in) throws IOException {
            List<String> texts = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
            }
            return texts;
        }

        static Call readFrom(DataInputStream in) throws IOException {
            List<String> place = read(in);
            List<String> names = read(in);
            List<String> values = read(in);
            Map<String, String> environment = new HashMap<>();
            for (int index = 0; index < names.size(); index++) {
                environment.put(names.get(index), values.get(index));
            }
            return new Call(
                    Optional.of(place.get(0)).filter(name -> !name.isEmpty()),
                    Path.of(place.get(1)),
                    Path.of(place.get(2)),
                    environment,
                    read(in));
        }
    }

    /** Reads calls from standard input, and answers them on standard output. */
    public static void main(String[] none) throws IOException, InterruptedException {
        BufferedInputStream in = new BufferedInputStream(System.in);
        DataInputStream calls = new DataInputStream(in);
        while (!isAtEnd(in)) {
            answer(Call.readFrom(calls));
        }
        SUPERVISOR.end();
        // Like the launcher, it does not wait for threads of plugins.
        Runtime.getRuntime().halt(0);
    }

    private static boolean isAtEnd(BufferedInputStream in) throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next < 0;
    }

    private static void answer(Call call) throws IOException, InterruptedException {
        // Plugins of tests read system properties, since they see only the JVM's own environment.
        System.getProperties().keySet().removeIf(name -> name.toString().startsWith(OF_TESTS));
        call.environment().entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(OF_TESTS))
                .forEach(variable -> System.setProperty(variable.getKey(), variable.getValue()));
        String own = Files.readString(HOST_NAME);
        if (call.hostName().isPresent()) {
            Files.writeString(HOST_NAME, call.hostName().get());
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int exitCode;
        try (Console console = Console.onto(OutputStream.nullOutputStream(), messages)) {
            exitCode = exitCode(call, console);
        }
        if (call.hostName().isPresent()) {
            Files.writeString(HOST_NAME, own);
        }
        String told = messages.toString(StandardCharsets.UTF_8);
        StandardOutput.write(SEPARATOR + Integer.toString(exitCode) + SEPARATOR + told + SEPARATOR);
    }

    private static int exitCode(Call call, Console console) throws InterruptedException {
        try {
            return carryOut(
                    CommandsHere.of(
                            call.arguments(),
                            call.environment(),
                            call.directory(),
                            Optional.of(call.home()),
                            console,
                            SUPERVISOR::get),
                    console,
                    call.environment());
        } catch (MusterException refused) {
            int code = refused.exitCode().code();
            console.say("exit " + code + ": " + refused.getMessage());
            return code;
        }
    }

    private static int carryOut(CommandsHere here, Console console, Map<String, String> environment)
            throws InterruptedException {
        Request request = here.requests().read();
        if (request instanceof Request.Information information) {
            StandardOutput.write(information.text());
            return 0;
        }
        Commands commands = here.commands();
        if (request instanceof DoctorRequest doctor) {
            console.mask(doctor.settings().secrets().mask(environment, doctor.command()));
            return commands.get(DoctorCommand.class).run(doctor);
        }
        Invocation invocation = (Invocation) request;
        console.mask(invocation.settings().secrets().mask(environment, invocation.job()));
        ExitCodes exitCodes = ExitCodes.named(
                invocation.settings().text(OptionTable.EXIT_CODES).orElseThrow());
        return switch (invocation.command()) {
            case PLAN -> commands.get(PlanCommand.class).run(invocation);
            case MANIFEST -> ManifestCommand.run(invocation);
            case SIMULATE -> commands.get(SimulateCommand.class).run(invocation, exitCodes);
            default -> commands.launch().run(invocation, exitCodes);
        };
    }
}
