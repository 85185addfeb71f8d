package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The processes of one plan as text. */
final class ProcessText {

    /** Characters of a value, where many plans are shown. */
    private static final int LONGEST = 4000;

    private final Page page;
    private final Display display;
    private final Duration grace;
    private final boolean isOneOfMany;

    /**
     * @param isOneOfMany whether long values are cut off: in a job of four thousand nodes every process is told the addresses of
     *     all, which would be gigabytes that nobody reads
     */
    ProcessText(Page page, Display display, Duration grace, boolean isOneOfMany) {
        this.page = page;
        this.display = display;
        this.grace = grace;
        this.isOneOfMany = isOneOfMany;
    }

    void write(List<ProcessSpec> processes) {
        boolean isFirst = true;
        for (ProcessSpec process : processes) {
            if (!isFirst) {
                page.blank();
            }
            isFirst = false;
            write(process);
        }
    }

    private void write(ProcessSpec process) {
        Launch launch = process.launch();
        page.line(1, ShellWords.quote(process.id()) + ": " + kind(process));
        List<Page.Row> rows = new ArrayList<>();
        rows.add(Page.row("Command:", command(launch)));
        rows.add(Page.row("Directory:", launch.workDirectory()));
        rows.add(Page.row("Log:", launch.logFile()));
        rows.add(Page.row("Starts:", when(process.startWhen())));
        if (process instanceof ProcessSpec.Service service
                && !service.readyWhen().equals(Condition.IMMEDIATELY)) {
            rows.add(Page.row("Ready:", when(service.readyWhen())));
        }
        rows.add(Page.row("Stopped by:", stop(process)));
        addEnvironment(rows, launch.environment());
        page.fields(2, rows);
    }

    private String command(Launch launch) {
        return display.command(launch.command()).stream().map(this::shown).collect(Collectors.joining(" "));
    }

    private String shown(String value) {
        if (!isOneOfMany || value.length() <= LONGEST) {
            return ShellWords.quote(value);
        }
        int end = Character.isHighSurrogate(value.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return ShellWords.quote(value.substring(0, end)) + "... (" + value.length()
                + " characters; --format json has all)";
    }

    private static String phase(ProcessSpec.Phase phase) {
        return switch (phase) {
            case PROLOG -> "before the tasks";
            case ON_STOP -> "when the job is stopped";
            case EPILOG -> "after the outcome";
        };
    }

    static String when(Condition condition) {
        return (condition.equals(Condition.IMMEDIATELY) ? "" : "when ") + Conditions.describe(condition);
    }

    private String stop(ProcessSpec process) {
        String ending = "TERM, then KILL after " + Durations.format(grace);
        if (process.hosted().isEmpty()) {
            return process instanceof ProcessSpec.Service service
                    ? service.neededUntil()
                            .map(condition -> ending + "; on a stop of the job when " + Conditions.describe(condition))
                            .orElse(ending)
                    : ending;
        }
        HostedRanks ranks = process.hosted().get();
        boolean isBare = ranks.until().kind() == Condition.Kind.IMMEDIATELY;
        return ending + "; first to its ranks, to itself when they have ended"
                + (isBare ? "" : " and " + Conditions.describe(ranks.until()));
    }

    private void addEnvironment(List<Page.Row> rows, EnvironmentChange change) {
        String label = "Sets:";
        for (Map.Entry<String, Value> variable : change.set().entrySet()) {
            String value = display.variable(variable.getKey(), variable.getValue());
            rows.add(Page.row(label, ShellWords.quote(variable.getKey()) + "=" + shown(value)));
            label = "";
        }
        if (!change.remove().isEmpty()) {
            rows.add(Page.row("Removes:", ShellWords.join(List.copyOf(change.remove()))));
        }
    }

    /** What a process is, in words. */
    private static String kind(ProcessSpec process) {
        String kind = ProcessNames.kind(process);
        if (process instanceof ProcessSpec.Service service) {
            return kind + (service.mayEnd() ? ", may also end by itself with 0" : "");
        }
        if (process instanceof ProcessSpec.Hook hook) {
            return kind + " " + phase(hook.phase()) + ", at most " + Durations.format(hook.deadline())
                    + (hook.required() ? ", its failure fails the job" : "");
        }
        return kind + process.placement().map(ProcessText::rank).orElse("");
    }

    private static String rank(RankInfo rank) {
        return ", rank " + rank.rank() + " of " + rank.worldSize() + ", local rank " + rank.localRank();
    }
}
