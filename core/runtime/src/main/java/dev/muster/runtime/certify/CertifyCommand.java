package dev.muster.runtime.certify;

import dev.muster.runtime.certify.CertifyReport.Finding;
import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.simulate.BootFile;
import dev.muster.runtime.simulate.SimulatedWorld;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** {@code muster certify}: tests a launcher against an engine's contract, in a job of one node and in one of several. */
public record CertifyCommand(LaunchContext context, ProcessSupervisor supervisor, RunDirectory temporary) {

    private static final int BROKEN = 1;
    private static final int USUAL = 2;

    @Inject
    public CertifyCommand {}

    /**
     * Tests the launcher that is given in place of a training command.
     *
     * @return 0, or 1 if a rule is broken
     * @throws MusterException 69 if it starts no rank
     */
    public int run(Invocation invocation) throws InterruptedException {
        Settings settings = invocation.settings();
        settings.warnings().forEach(context.console()::warn);
        if (invocation.engine().descriptor().logsIn()) {
            // The nodes have a private key.
            temporary.requireTrusted();
        }
        try {
            CertifyReport report = report(invocation);
            boolean isJson = settings.text(OptionTable.FORMAT).orElseThrow().equals("json");
            String text = isJson ? Json.indented(report) : report.text();
            boolean isWritten = StandardOutput.write(context.console().masked(text));
            return !isWritten ? ExitCode.UNAVAILABLE.code() : report.broken() == 0 ? 0 : BROKEN;
        } catch (StoppedException stopped) {
            Signals.ReceivedSignal signal = context.signals().stopRequest().orElseThrow(() -> stopped);
            context.console().say("stopped by " + signal.title() + "; the launchers were ended");
            return signal.exitCode();
        } finally {
            temporary.close();
        }
    }

    private CertifyReport report(Invocation invocation) throws InterruptedException {
        Settings settings = invocation.settings();
        List<Finding> findings = findings(invocation);
        return new CertifyReport(
                invocation.engine().descriptor().id(),
                settings.text(OptionTable.PLATFORM)
                        .filter(name -> !name.equals("auto"))
                        .orElse("none"),
                settings.secrets().show(invocation.job()),
                findings.stream().filter(found -> !found.kept()).count(),
                findings);
    }

    private List<Finding> findings(Invocation invocation) throws InterruptedException {
        List<String> launcher = launcher(invocation.job());
        Settings settings = invocation.settings();
        Path place = settings.path(OptionTable.LOG_DIR).orElseGet(temporary::path);
        int most = settings.number(OptionTable.NODES).orElse(USUAL);
        List<Finding> findings = new ArrayList<>();
        for (int nodes : IntStream.of(1, most).distinct().toArray()) {
            try {
                findings.addAll(findings(invocation, launcher, nodes, place.resolve("nodes-" + nodes)));
            } catch (FileException refused) {
                throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
            } catch (IOException unusable) {
                throw new UncheckedIOException(unusable);
            }
        }
        return findings;
    }

    private List<Finding> findings(Invocation invocation, List<String> launcher, int nodes, Path directory)
            throws IOException, InterruptedException {
        Settings settings = invocation.settings();
        int cards = settings.number(OptionTable.CARDS).orElse(USUAL);
        List<Setting> size = List.of(setting(OptionTable.NODES, nodes), setting(OptionTable.CARDS, cards));
        Invocation held = invocation.with(size, List.of("probe"));
        Directories.make(directory);
        try (SimulatedWorld world = SimulatedWorld.of(context.processInfo(), held, directory, context.console())) {
            CertifiedJob job = new CertifiedJob(
                    world,
                    context.processInfo().environment(),
                    new Probe(directory.resolve("probe"), directory.resolve("seen")),
                    settings.duration(OptionTable.GRACE),
                    () -> new HeldLaunchers(supervisor, context.signals(), context.nanoClock()));
            return job.test(
                    node -> filledIn(launcher, nodes, node, cards, world),
                    held.engine().descriptor()::owns,
                    rule -> context.console().say("nodes: " + nodes + ", " + rule.number() + ": " + rule.title()));
        }
    }

    private static List<String> filledIn(List<String> launcher, int nodes, int node, int cards, SimulatedWorld world) {
        return launcher.stream()
                .map(word -> word.replace("{nodes}", Integer.toString(nodes))
                        .replace("{node}", Integer.toString(node))
                        .replace("{cards}", Integer.toString(cards))
                        .replace("{leader}", world.leader()))
                .toList();
    }

    private static Setting setting(Option option, int number) {
        return Setting.ofCommandLine(option.name(), Integer.toString(number), "certify");
    }

    /** The launcher's words, behind env. It searches PATH as a shell does: some launchers behave differently if called by a path. */
    private List<String> launcher(List<String> words) {
        List<String> launcher = new ArrayList<>(List.of("/usr/bin/env"));
        launcher.addAll(BootFile.of(words, context.processInfo().directory()).command());
        try {
            Executables.resolve(
                    launcher.get(1),
                    context.processInfo().environment().value("PATH"),
                    context.processInfo().directory());
            return launcher;
        } catch (MusterException missing) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, "the launcher cannot be started: " + missing.getMessage(), missing);
        }
    }
}
