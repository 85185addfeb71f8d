package dev.muster.runtime.remote;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The launchers of a job on other hosts, from the first connection to the last end. One thread works through all that happens. */
final class RemoteJob {

    /** After so long without news hosts hear that their caller is there, or sooner where they want to. */
    private static final Duration BEAT = Duration.ofSeconds(5);

    /** What a launcher may take to end beside the grace of its ranks. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(15);

    /** What launchers end with whose connection is lost. */
    private static final int HUNG_UP = ExitCode.ofSignal(1);

    private final LaunchOrder order;
    private final Settings settings;
    private final LaunchContext context;
    private final Console console;
    private final List<RemoteLauncher> launchers = new ArrayList<>();
    private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
    private final Set<RemoteLauncher> unheard = new LinkedHashSet<>();
    private final Map<RemoteLauncher, String> problems = new HashMap<>();
    private final Map<RemoteLauncher, Integer> ends = new LinkedHashMap<>();
    private final Set<RemoteLauncher> copied = new HashSet<>();
    private Optional<ReceivedSignal> stop = Optional.empty();
    private OptionalLong deadline = OptionalLong.empty();
    private Runnable overdue = () -> {};
    private boolean isRunning;

    RemoteJob(LaunchOrder order, LaunchContext context) {
        this.order = order;
        this.settings = order.invocation().settings();
        this.context = context;
        this.console = context.console();
    }

    /** A host's answer: a word, and what it found; on any thread. */
    void hear(RemoteLauncher from, String answer) {
        news.add(() -> heard(from, answer));
    }

    /** The end of an ssh, on any thread: that of the launcher, too. */
    void hearEnd(RemoteLauncher from, int code, String lastWords) {
        news.add(() -> ended(from, code, lastWords));
    }

    /** One more host, to which it begins to connect. */
    void add(RemoteLauncher launcher) throws IOException {
        launchers.add(launcher);
        unheard.add(launcher);
        launcher.start(order, this);
    }

    /**
     * Runs the job.
     *
     * @throws MusterException when not all hosts are ready; nothing runs then
     */
    void run() throws InterruptedException {
        context.signals().listen(signal -> news.add(() -> received(signal)));
        within(
                settings.duration(OptionTable.INPUT_TIMEOUT),
                () -> List.copyOf(unheard).forEach(late -> isUnfit(late, "did not answer in time")));
        await(() -> stop.isPresent() || unheard.isEmpty());
        if (stop.isPresent() || !problems.isEmpty()) {
            throw refusal();
        }
        isRunning = true;
        deadline = OptionalLong.empty();
        for (int index = 0; index < launchers.size(); index++) {
            launchers.get(index).tell(order.go(index));
        }
        await(() -> ends.size() == launchers.size());
    }

    private RuntimeException refusal() {
        List<RemoteLauncher> unfit =
                launchers.stream().filter(problems::containsKey).toList();
        launchers.forEach(RemoteLauncher::kill);
        if (stop.isPresent()) {
            context.signals().keepAgain();
            return new StoppedException();
        }
        unfit.forEach(launcher -> console.say(launcher.name() + ": " + problems.get(launcher)));
        return new MusterException(
                ExitCode.UNAVAILABLE,
                unfit.size() + " of " + launchers.size() + " hosts cannot run the job (" + names(unfit)
                        + "), for the reasons above; nothing was started");
    }

    private void await(BooleanSupplier goal) throws InterruptedException {
        long beat = Math.min(
                BEAT.toNanos(), settings.duration(OptionTable.LOST_AFTER).toNanos() / 4);
        while (!goal.getAsBoolean()) {
            Optional.ofNullable(news.poll(beat, TimeUnit.NANOSECONDS)).ifPresentOrElse(Runnable::run, this::beat);
            if (deadline.isPresent() && context.nanoClock().getAsLong() - deadline.getAsLong() >= 0) {
                deadline = OptionalLong.empty();
                overdue.run();
            }
        }
    }

    private void beat() {
        launchers.forEach(launcher -> launcher.signal(""));
        if (!unheard.isEmpty()) {
            console.say("waiting for ssh to " + names(unheard));
        }
    }

    private void within(Duration limit, Runnable otherwise) {
        deadline = OptionalLong.of(context.nanoClock().getAsLong() + limit.toNanos());
        overdue = otherwise;
    }

    private void heard(RemoteLauncher from, String answer) {
        String[] words = answer.split(" ", 2);
        switch (words[0]) {
            case LaunchOrder.READY -> unheard.remove(from);
            case "missing" -> missing(from, words[1]);
            default -> isUnfit(from, words[1]);
        }
    }

    private void isUnfit(RemoteLauncher host, String problem) {
        problems.putIfAbsent(host, problem);
        unheard.remove(host);
    }

    /** @param found the host's architecture, and what its shell said of a Muster */
    private void missing(RemoteLauncher host, String found) {
        boolean isAlike = found.startsWith(ProcessInfo.machine() + " ");
        if (order.archive().isPresent() && isAlike && copied.add(host)) {
            console.say("copying Muster to " + host.name());
            host.copy(order.archive().get());
            return;
        }
        String remedy = !isAlike ? "Install one for its architecture" : "Install it, or give --copy";
        isUnfit(
                host,
                "has no Muster like this one (" + LaunchOrder.version()
                        + ") at its path here or in the PATH of a command of ssh. " + remedy + ". Found: " + found);
    }

    /** Launchers that have a link know of each other's ends. */
    private void ended(RemoteLauncher launcher, int code, String lastWords) {
        ends.put(launcher, code);
        launcher.close();
        if (!isRunning) {
            isUnfit(launcher, lastWords);
        } else if (code != 0 && deadline.isEmpty()) {
            boolean isLinked = !settings.text(OptionTable.LINK).orElseThrow().equals("off");
            Duration others = settings.duration(OptionTable.LOST_AFTER).plus(timeToEnd());
            within(isLinked ? others : Duration.ZERO, () -> stopAll("TERM"));
        }
    }

    private Duration timeToEnd() {
        return settings.duration(OptionTable.GRACE).plus(BEYOND_GRACE);
    }

    private void received(ReceivedSignal signal) {
        if (!signal.asksToStop()) {
            launchers.forEach(launcher -> launcher.signal(signal.name()));
            return;
        }
        context.signals().taken();
        if (stop.isEmpty()) {
            stop = Optional.of(signal);
            console.say("received " + signal.title() + "; stopping the launchers on " + names(launchers));
        }
        if (isRunning) {
            stopAll(signal.name().equals(Signals.KILLED) ? "TERM" : signal.name());
        }
    }

    private void stopAll(String signal) {
        launchers.forEach(launcher -> launcher.signal(signal));
        within(timeToEnd(), this::killAll);
    }

    private void killAll() {
        launchers.stream().filter(launcher -> !ends.containsKey(launcher)).forEach(RemoteLauncher::kill);
    }

    private static String names(Collection<RemoteLauncher> some) {
        return some.stream().map(RemoteLauncher::name).collect(Collectors.joining(", "));
    }

    /** Says how it ended, once it has. The code of the launcher that led the job counts, unless a connection was lost. */
    int verdict() {
        if (stop.isPresent()) {
            return told(stop.get().exitCode(), "stopped by " + stop.get().title());
        }
        List<RemoteLauncher> failed =
                ends.keySet().stream().filter(launcher -> code(launcher) != 0).toList();
        if (failed.isEmpty()) {
            return told(0, "the launchers on " + launchers.size() + " hosts succeeded");
        }
        RemoteLauncher cause = failed.contains(launchers.get(0)) ? launchers.get(0) : failed.get(0);
        int code = code(cause);
        List<RemoteLauncher> lost = failed.stream()
                .filter(launcher -> code(launcher) == RemoteLauncher.LOST)
                .toList();
        return !lost.isEmpty() && (code == RemoteLauncher.LOST || code == HUNG_UP)
                ? told(ExitCode.TEMPORARY.code(), "the connection to " + names(lost) + " was lost, which ends the job")
                : told(code, "the launcher on " + cause.name() + " ended with exit code " + code + "; see its lines");
    }

    private int code(RemoteLauncher launcher) {
        return ends.getOrDefault(launcher, 0);
    }

    private int told(int code, String reason) {
        console.say("exit " + code + ": " + reason);
        return code;
    }
}
