package dev.muster.runtime.remote;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.output.Cadence;
import dev.muster.runtime.process.CallerWatch;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.remote.RemoteLauncher.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The launchers of a job on other hosts, from the first connection to the last end. One thread handles all events. */
final class RemoteJob {

    /** The heartbeat interval to the hosts; shorter if {@code --lost-after} is short. */
    private static final Duration BEAT = Duration.ofSeconds(5);

    /** The time for a launcher to end, beyond the grace of its ranks. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(15);

    /** The time for ssh to end if nothing runs. */
    private static final Duration TO_LEAVE = Duration.ofSeconds(5);

    private final Settings settings;
    private final Optional<PackageArchive> archive;
    private final LaunchContext context;
    private final TerminalLogin terminal;
    private final Supplier<Optional<Duration>> askedGrace;
    private final List<RemoteLauncher> launchers = new ArrayList<>();
    private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
    private final List<RemoteLauncher> ready = new ArrayList<>();
    private final Map<RemoteLauncher, String> problems = new LinkedHashMap<>();
    private final Map<RemoteLauncher, Integer> ends = new LinkedHashMap<>();
    private final List<RemoteLauncher> gone = new ArrayList<>();
    private final Set<RemoteLauncher> copied = new HashSet<>();
    private Optional<ReceivedSignal> stop = Optional.empty();
    private boolean isAsked;
    private OptionalLong deadline = OptionalLong.empty();
    private Runnable overdue = () -> {};
    private boolean isRunning;
    /** When to report the hosts that have not answered. */
    private final Cadence waiting = new Cadence(0);

    /**
     * @param archive the package for hosts without Muster; empty: it is not copied
     * @param askedGrace the grace that a stop asks for, if it differs from the launchers' own
     */
    RemoteJob(
            Settings settings,
            Optional<PackageArchive> archive,
            LaunchContext context,
            TerminalLogin terminal,
            Supplier<Optional<Duration>> askedGrace) {
        this.askedGrace = askedGrace;
        this.settings = settings;
        this.archive = archive;
        this.context = context;
        this.terminal = terminal;
    }

    /** Takes an answer of a launcher, on any thread. */
    void hear(Answer answer) {
        news.add(() -> heard(answer));
    }

    /**
     * Runs the job.
     *
     * @param hosts all of them; their launchers connect already
     * @throws MusterException not all hosts are ready; nothing runs then
     */
    RemoteVerdict run(List<RemoteLauncher> hosts) throws InterruptedException, IOException {
        launchers.addAll(hosts);
        context.signals().listen(signal -> news.add(() -> received(signal)));
        awaitHosts();
        try {
            logIn();
            return go();
        } finally {
            if (isAsked) {
                terminal.end(launchers);
            }
        }
    }

    private RemoteVerdict go() throws InterruptedException {
        if (stop.isPresent() || !problems.isEmpty()) {
            throw refusal();
        }
        isRunning = true;
        for (int index = 0; index < launchers.size(); index++) {
            launchers.get(index).go(index);
        }
        await(() -> gone.size() == launchers.size());
        return verdict();
    }

    private void awaitHosts() throws InterruptedException {
        within(
                settings.duration(OptionTable.INPUT_TIMEOUT),
                () -> unheard().forEach(late -> problems.put(late, "did not answer in time")));
        await(() -> stop.isPresent() || unheard().isEmpty());
        deadline = OptionalLong.empty();
    }

    /** Connects again to hosts whose ssh must ask the user. Ctrl-C then goes to ssh, and is no signal for Muster. */
    private void logIn() throws InterruptedException, IOException {
        List<RemoteLauncher> refused = new ArrayList<>(launchers);
        refused.removeIf(launcher -> !gone.contains(launcher) || !launcher.isRefused());
        boolean isWorthIt = !refused.isEmpty() && refused.size() == problems.size() && stop.isEmpty();
        if (!isWorthIt || !terminal.command().isPossible()) {
            return;
        }
        context.console().say("ssh asks here, to connect to " + names(refused));
        terminal.start(refused, () -> news.add(() -> isAsked = true));
        await(() -> isAsked);
        int code = terminal.command().code();
        if (code == ExitCode.ofSignal(2)) {
            context.signals().deliver(2);
            await(() -> stop.isPresent());
        } else if (code == 0) {
            gone.removeAll(refused);
            problems.keySet().removeAll(refused);
            RemoteLauncher.startAll(refused, terminal.connection());
            awaitHosts();
        }
    }

    private RuntimeException refusal() throws InterruptedException {
        Map<RemoteLauncher, String> told = Map.copyOf(problems);
        launchers.forEach(RemoteLauncher::close);
        within(TO_LEAVE, this::killAll);
        await(() -> gone.size() == launchers.size());
        if (stop.isPresent()) {
            context.signals().removeListener();
            return new StoppedException();
        }
        List<RemoteLauncher> unfit =
                launchers.stream().filter(told::containsKey).toList();
        unfit.forEach(launcher -> context.console().say(launcher.name() + ": " + told.get(launcher)));
        String who = unfit.size() + " of " + launchers.size() + " hosts cannot run the job (" + names(unfit) + ")";
        return new MusterException(ExitCode.UNAVAILABLE, who + ", for the reasons above; nothing was started");
    }

    private void await(BooleanSupplier goal) throws InterruptedException {
        long beat = Math.min(
                BEAT.toNanos(), settings.duration(OptionTable.LOST_AFTER).toNanos() / 4);
        while (!goal.getAsBoolean()) {
            Runnable next = news.poll(beat, TimeUnit.NANOSECONDS);
            if (next != null) {
                next.run();
            } else {
                beat();
            }
            if (deadline.isPresent() && context.nanoClock().getAsLong() - deadline.getAsLong() >= 0) {
                deadline = OptionalLong.empty();
                overdue.run();
            }
        }
    }

    private void beat() {
        launchers.forEach(RemoteLauncher::beat);
        if (!isRunning && !unheard().isEmpty()) {
            waiting.due(
                            () -> "waiting for ssh to " + names(unheard()),
                            context.nanoClock().getAsLong())
                    .ifPresent(context.console()::say);
        }
    }

    private void within(Duration limit, Runnable otherwise) {
        deadline = OptionalLong.of(context.nanoClock().getAsLong() + limit.toNanos());
        overdue = otherwise;
    }

    private void heard(Answer answer) {
        RemoteLauncher from = answer.from();
        switch (answer.kind()) {
            case "ready" -> ready.add(from);
            case "missing" -> missing(from, answer.text());
            case "failed" -> problems.put(from, answer.text());
            case "exit" -> ended(from, Integer.parseInt(answer.text()));
            default -> gone(from, answer.text());
        }
    }

    /** @param found the host's architecture, and what its shell found in the place of Muster */
    private void missing(RemoteLauncher host, String found) {
        boolean isAlike = found.startsWith(ProcessInfo.machine() + " ");
        if (archive.isPresent() && isAlike && copied.add(host)) {
            context.console().say("copying Muster to " + host.name());
            host.copy(archive.get());
            return;
        }
        String remedy = isAlike ? "Install it, or give --copy" : "Install one for its architecture";
        String sought = LaunchOrder.version() + ") at its path here or in the PATH of a command of ssh. ";
        problems.put(host, "has no Muster like this one (" + sought + remedy + ". Found: " + found);
    }

    private void gone(RemoteLauncher launcher, String lastWords) {
        gone.add(launcher);
        if (!isRunning) {
            problems.putIfAbsent(launcher, lastWords);
        } else if (!ends.containsKey(launcher)) {
            ended(launcher, RemoteVerdict.LOST);
        }
    }

    /** Launchers with a link know of each other's ends. */
    private void ended(RemoteLauncher launcher, int code) {
        ends.put(launcher, code);
        launcher.close();
        if (code != 0 && deadline.isEmpty()) {
            boolean isLinked = !settings.text(OptionTable.LINK).orElseThrow().equals("off");
            Duration others = settings.duration(OptionTable.LOST_AFTER).plus(timeToEnd());
            within(isLinked ? others : Duration.ZERO, () -> stopAll("TERM"));
        }
    }

    private Duration timeToEnd() {
        return askedGrace.get().orElse(settings.duration(OptionTable.GRACE)).plus(BEYOND_GRACE);
    }

    private void received(ReceivedSignal signal) {
        if (!signal.isStopRequest()) {
            launchers.forEach(launcher -> launcher.signal(signal.name()));
            return;
        }
        context.signals().confirmStop();
        if (stop.isEmpty()) {
            stop = Optional.of(signal);
            context.console().say("received " + signal.title() + "; stopping the launchers on " + names(launchers));
        }
        if (isRunning) {
            stopAll(signal.name().equals(Signals.KILL) ? "TERM" : signal.name());
        } else {
            terminal.command().cancel();
        }
    }

    private void stopAll(String signal) {
        String order = askedGrace
                .get()
                .filter(any -> signal.equals("TERM"))
                .map(grace -> CallerWatch.STOP + grace.toMillis())
                .orElse(signal);
        launchers.forEach(launcher -> launcher.signal(order));
        within(timeToEnd(), this::killAll);
    }

    private void killAll() {
        launchers.stream().filter(launcher -> !gone.contains(launcher)).forEach(RemoteLauncher::kill);
    }

    private List<RemoteLauncher> unheard() {
        return launchers.stream()
                .filter(launcher -> !ready.contains(launcher) && !problems.containsKey(launcher))
                .toList();
    }

    static String names(Collection<RemoteLauncher> some) {
        return some.stream().map(RemoteLauncher::name).collect(Collectors.joining(", "));
    }

    private RemoteVerdict verdict() {
        return stop.map(RemoteVerdict::stopped).orElseGet(() -> RemoteVerdict.of(launchers, ends));
    }
}
