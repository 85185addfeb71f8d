package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code muster stop}: asks launchers of this PID namespace to stop, and waits until they end. */
public record StopCommand(LauncherFinder launchers, LauncherRequest request) {

    private static final Pattern ANSWER = Pattern.compile("(stopping|ended) ([0-9]{1,15})( own)?");
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(10);
    /** The most lines to read from one launcher. Another user's launcher may send lines without end. */
    private static final int MOST = 100;
    /** The assumed grace of a launcher that does not tell its own. */
    private static final Duration GRACE_OF_SILENT = Duration.ofSeconds(30);

    /**
     * @return the exit code
     * @throws MusterException 64: it is not clear which launcher is meant
     */
    public int run() {
        List<RunningLauncher> here = launchers.find();
        List<RunningLauncher> all = here.stream().filter(this::isSelected).toList();
        if (all.isEmpty()) {
            reportNone(here);
        }
        List<RunningLauncher> chosen = new ArrayList<>(choose(
                all.stream().filter(launcher -> launcher.identity().isPresent()).toList()));
        chosen.addAll(terminate(all));
        String grace =
                request.grace().map(Duration::toMillis).map(Object::toString).orElse("-");
        chosen.forEach(launcher -> launcher.client().send("stop " + grace));
        boolean haveEnded = all.isEmpty() || !chosen.isEmpty();
        for (RunningLauncher launcher : chosen) {
            haveEnded &= awaitEnd(launcher);
        }
        return haveEnded ? 0 : ExitCode.TEMPORARY.code();
    }

    /** Sends SIGTERM to launchers that do not answer; returns those that got it. */
    private List<RunningLauncher> terminate(List<RunningLauncher> all) {
        boolean areAllMeant = request.has(OptionTable.EVERY_LAUNCHER)
                || (all.size() == 1 && request.job().isEmpty());
        return all.stream()
                .filter(launcher -> launcher.identity().isEmpty())
                .filter(launcher -> tryTerminate(launcher, areAllMeant))
                .toList();
    }

    /** SIGTERM goes to the supervisor, which wakes the JVM or stops the job itself. */
    private static boolean tryTerminate(RunningLauncher silent, boolean isMeant) {
        boolean isTerminated = isMeant && silent.terminate();
        Console.sayAtOnce(silent.name() + " does not answer. "
                + (isTerminated ? "It gets SIGTERM, and its own grace if it goes on like that" : "Send it SIGTERM"));
        return isTerminated;
    }

    /** Whether the request means this launcher. It means another user's launcher only if it names the user, a job or all. */
    private boolean isSelected(RunningLauncher launcher) {
        boolean isAnyones =
                request.has(OptionTable.EVERY_LAUNCHER) || request.job().isPresent();
        return request.value(OptionTable.USER)
                .map(launcher.user()::isCalled)
                .orElse(isAnyones || launcher.user().isCaller());
    }

    private void reportNone(List<RunningLauncher> here) {
        String whose = request.value(OptionTable.USER)
                .map(user -> " of user " + Printable.quote(user))
                .orElse(here.isEmpty() ? "" : " of yours");
        String others = here.isEmpty()
                ? ""
                : ". Others run: " + RunningLauncher.names(here)
                        + ". Stop one with --user USER or --job ID, or all with --all";
        Console.sayAtOnce("no launcher" + whose + " runs here: there is nothing to stop" + others);
    }

    private List<RunningLauncher> choose(List<RunningLauncher> found) {
        Optional<String> job = request.job();
        if (job.isPresent()) {
            List<RunningLauncher> ofJob = found.stream()
                    .filter(launcher -> launcher.job().equals(job))
                    .toList();
            if (ofJob.isEmpty() && !found.isEmpty()) {
                throw MusterException.usage("no launcher of job " + Printable.quote(job.get()) + " runs here, but "
                        + RunningLauncher.names(found));
            }
            return ofJob;
        }
        List<RunningLauncher> own =
                found.stream().filter(launcher -> !launcher.isNested()).toList();
        if (own.size() > 1 && !request.has(OptionTable.EVERY_LAUNCHER)) {
            throw MusterException.usage(
                    "several launchers run here: " + RunningLauncher.names(own) + ". Say which: --job ID, or --all");
        }
        List<RunningLauncher> chosen = request.grace().isPresent() ? withoutSimulations(found) : own;
        return chosen.isEmpty() ? found : chosen;
    }

    /** A simulation would end its launchers before they get this grace. So it gets no request, and ends after them. */
    private static List<RunningLauncher> withoutSimulations(List<RunningLauncher> found) {
        found.stream()
                .filter(RunningLauncher::isSimulation)
                .forEach(launcher ->
                        Console.sayAtOnce(launcher.name() + " ends with the launchers that it has started"));
        return found.stream().filter(launcher -> !launcher.isSimulation()).toList();
    }

    /** Waits for the end of a launcher; false: it has not ended in time. */
    private static boolean awaitEnd(RunningLauncher launcher) {
        long grace = launcher.identity().isPresent() ? 0 : GRACE_OF_SILENT.toMillis();
        String line = " ";
        for (int count = 0; count < MOST && !line.isEmpty(); count++) {
            line = nextLine(launcher, grace);
            Matcher said = ANSWER.matcher(line);
            if (said.matches() && said.group(1).equals("ended")) {
                Console.sayAtOnce(launcher.name() + " has ended with exit code " + said.group(2));
                return true;
            }
            // Another line may be the late answer to "who".
            grace = said.matches() ? reportGrace(launcher, said, grace) : grace;
        }
        boolean isGone = launcher.client().hasHungUp();
        Console.sayAtOnce(launcher.name() + (isGone ? " is gone" : " has not ended in time. The stop goes on"));
        return isGone;
    }

    /** Prints the grace that the launcher tells, and returns it. */
    private static long reportGrace(RunningLauncher launcher, Matcher said, long before) {
        long grace = Long.parseLong(said.group(2));
        if (grace != before) {
            Console.sayAtOnce("stopping " + launcher.name() + " (grace " + Durations.format(Duration.ofMillis(grace))
                    + (said.group(3) == null ? ")" : ", its own)"));
        }
        return grace;
    }

    /** The next line; empty: the launcher has hung up, or is silent for too long. */
    private static String nextLine(RunningLauncher launcher, long grace) {
        return launcher.client().nextLine(BEYOND_THE_GRACE.plusMillis(grace)).orElse("");
    }
}
