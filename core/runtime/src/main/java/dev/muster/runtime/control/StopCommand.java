package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * {@code muster stop}: stops launchers of this PID namespace, and waits for their end. When it is killed itself, the stop goes on.
 */
final class StopCommand {

    private static final long LOOK = Duration.ofMillis(10).toNanos();
    private static final long SEARCH = Duration.ofMillis(200).toNanos();

    /** After the grace: for KILL, for what is left in pipes, and for the launchers of other nodes. */
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(10);

    private final LauncherSearch search;
    private final LauncherRequest request;
    private final LongSupplier nanoClock;
    private final Consumer<String> say;

    StopCommand(LauncherSearch search, LauncherRequest request, LongSupplier nanoClock, Consumer<String> say) {
        this.search = search;
        this.request = request;
        this.nanoClock = nanoClock;
        this.say = say;
    }

    /**
     * @return the exit code
     * @throws MusterException it is not clear who is meant
     */
    int run() {
        List<FoundLauncher> all = search.find();
        Map<ProcessId, StopTarget> found = new LinkedHashMap<>();
        meant(all).forEach(launcher -> add(launcher, all, found));
        List<StopTarget> targets = List.copyOf(found.values());
        if (targets.isEmpty()) {
            say.accept("no launcher runs here: there is nothing to stop");
            return 0;
        }
        targets.forEach(StopTarget::begin);
        return await(targets);
    }

    /** Whoever cannot be told the grace, as a simulation, ends with the launchers that it has started, which can. */
    private StopTarget add(FoundLauncher launcher, List<FoundLauncher> all, Map<ProcessId, StopTarget> targets) {
        List<StopTarget> within =
                request.grace().isEmpty() || launcher.directory().isPresent()
                        ? List.of()
                        : all.stream()
                                .filter(inner -> inner.around().isPresent()
                                        && inner.around().equals(launcher.marker()))
                                .map(inner -> add(inner, all, targets))
                                .toList();
        StopTarget known = targets.get(launcher.process());
        StopTarget target = known == null ? new StopTarget(launcher, request.grace(), within, nanoClock, say) : known;
        targets.put(launcher.process(), target);
        return target;
    }

    private int await(List<StopTarget> targets) {
        long nextSearch = nanoClock.getAsLong() + SEARCH;
        List<StopTarget> left = new ArrayList<>(targets);
        while (!left.isEmpty()) {
            left.forEach(StopTarget::look);
            left.stream().filter(StopTarget::isOver).forEach(this::tellEnd);
            left.removeIf(StopTarget::isOver);
            if (left.stream().anyMatch(target -> target.isInTime(BEYOND_THE_GRACE))) {
                long now = nanoClock.getAsLong();
                if (now >= nextSearch) {
                    nextSearch = now + SEARCH;
                    List<FoundLauncher> seen = search.find();
                    left.forEach(target -> seen.forEach(target::isNow));
                }
                LockSupport.parkNanos(LOOK);
            } else if (!left.isEmpty()) {
                String names = left.stream()
                        .map(target -> target.launcher().describe())
                        .collect(Collectors.joining("; "));
                throw new MusterException(
                        ExitCode.TEMPORARY, "not ended in time: " + names + ". What was begun goes on");
            }
        }
        return 0;
    }

    private void tellEnd(StopTarget target) {
        if (target.code().isEmpty() && !target.launcher().hasEnded()) {
            return;
        }
        say.accept(target.launcher().describe() + " has ended"
                + target.code().map(code -> " with exit code " + code).orElse(""));
    }

    /** Those that the user means. Processes of a launcher end with it, also where they are launchers. */
    private List<FoundLauncher> meant(List<FoundLauncher> all) {
        if (request.job().isPresent()) {
            return ofJob(all, request.job().get());
        }
        Set<String> markers = new HashSet<>();
        all.forEach(launcher -> launcher.marker().ifPresent(markers::add));
        List<FoundLauncher> outer = all.stream()
                .filter(launcher -> launcher.around().filter(markers::contains).isEmpty())
                .toList();
        long living = outer.stream().filter(FoundLauncher::isThere).count();
        if (!request.isForAll() && living > 1) {
            throw MusterException.usage("several launchers run here: " + names(outer) + ". Say which: "
                    + OptionTable.JOB.usage() + ", or " + OptionTable.EVERY_LAUNCHER.flag());
        }
        return outer;
    }

    private static List<FoundLauncher> ofJob(List<FoundLauncher> all, String id) {
        List<FoundLauncher> meant = all.stream()
                .filter(launcher -> launcher.job().equals(Optional.of(id)))
                .toList();
        if (meant.isEmpty() && !all.isEmpty()) {
            throw MusterException.usage("no launcher of job " + Printable.quote(id) + " runs here, but " + names(all));
        }
        return meant;
    }

    private static String names(List<FoundLauncher> launchers) {
        return launchers.stream().map(FoundLauncher::describe).collect(Collectors.joining("; "));
    }
}
