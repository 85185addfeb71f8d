package dev.muster.runtime.logs;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.control.JobAsker;
import dev.muster.runtime.control.LauncherFinder;
import dev.muster.runtime.control.ListCommand;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.RandomText;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Ranges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code muster logs}: shows the output of a job's ranks, past and new. */
public final class LogsCommand {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE = Duration.ofMillis(200).toNanos();

    /** The pause grows by one step for each such number of nodes. */
    private static final int NODES_AT_ONCE = 200;

    private static final int NAME_BYTES = 8;

    private final LauncherRequest request;
    private final JobAsker asker;
    private final Path ended;
    private final Clock clock;
    /** JVM and supervisor of each launcher of the job. One of them may be a zombie until its parent reaps it. */
    private final Set<List<ProcessHandle>> launchers = new HashSet<>();

    private final String reader;
    /** The number of the last question. */
    private int turn;
    /** Problems of nodes that were already reported. */
    private final Set<String> told = new HashSet<>();

    /** Ranks of other nodes in the last answers, and the log offset where each answer ended. */
    private final BitSet got = new BitSet();

    private final Map<Integer, Object> ends = new HashMap<>();
    private boolean isMissingReported;
    /** Whether no launcher here has started its ranks yet. */
    private boolean isStarting;
    /** The number of nodes in the last answers. */
    private int nodes;

    /** @param ended the log directory of ended jobs */
    public LogsCommand(LauncherRequest request, JobAsker asker, Path ended, Clock clock) {
        this.request = request;
        this.asker = asker;
        this.ended = ended;
        this.clock = clock;
        this.reader = request.has(OptionTable.FOLLOW) ? RandomText.hexadecimal(NAME_BYTES) : "";
    }

    /**
     * @return the exit code
     * @throws MusterException the request is ambiguous, or nothing matches it
     */
    public int run() {
        BitSet chosen = request.ranks();
        Optional<Pattern> pattern = request.value(OptionTable.GREP).map(LogPrinter::pattern);
        Optional<Instant> since =
                request.value(OptionTable.SINCE).map(text -> clock.instant().minus(Durations.parse(text)));
        JobLogs found = awaitLogs(chosen);
        BitSet elsewhere = (BitSet) chosen.clone();
        elsewhere.andNot(found.ranks());
        if (launchers.isEmpty() && !elsewhere.isEmpty()) {
            throw missing(elsewhere, found);
        }
        boolean asks = !launchers.isEmpty() && (request.has(OptionTable.ALL_NODES) || !elsewhere.isEmpty());
        List<RankLog> logs = found.open(chosen);
        if (logs.isEmpty() && (!asks || isStarting)) {
            reportNone("job " + Printable.escape(found.job()));
        }
        reportBadLogs(logs, since.isPresent());
        LogPrinter.Filter filter =
                new LogPrinter.Filter(since, pattern, request.has(OptionTable.TIMESTAMPS), asks || logs.size() > 1);
        LogPrinter printer = new LogPrinter(filter, StandardStreams.out());
        return print(printer, logs, asks ? Optional.of(elsewhere) : Optional.empty(), found.ranks());
    }

    /** Finds the logs. Between two attempts a job has no ranks; {@code --follow} waits for the next ones. */
    private JobLogs awaitLogs(BitSet chosen) {
        JobLogs found = findLogs();
        boolean isOfThisNode = chosen.isEmpty() && !request.has(OptionTable.ALL_NODES);
        while (found.ranks().isEmpty() && isFollowing() && (isStarting || isOfThisNode)) {
            LockSupport.parkNanos(PAUSE);
            found = isFollowing() ? findLogs() : found;
        }
        return found;
    }

    /** Whether more wanted lines may come. */
    private boolean isFollowing() {
        return request.has(OptionTable.FOLLOW)
                && launchers.stream().anyMatch(both -> both.stream().allMatch(ProcessHandle::isAlive));
    }

    /** @param elsewhere ranks of other nodes whose lines are wanted; empty set: all ranks */
    private int print(LogPrinter printer, List<RankLog> logs, Optional<BitSet> elsewhere, BitSet here) {
        boolean isOver;
        try {
            do {
                isOver = !isFollowing();
                if (elsewhere.isPresent()) {
                    printOthers(printer, elsewhere.get(), here);
                }
                printer.print(logs, isOver);
                LockSupport.parkNanos(isOver ? 0 : PAUSE * (1 + nodes / NODES_AT_ONCE));
            } while (!isOver);
            return 0;
        } catch (IOException refused) {
            StandardOutput.report(refused);
            return ExitCode.UNAVAILABLE.code();
        }
    }

    /**
     * Prints the last lines of ranks of other nodes, and later their new lines. Their launchers send them over the link.
     *
     * @param wanted these ranks; empty: all
     * @param here ranks whose logs are on this node
     */
    private void printOthers(LogPrinter printer, BitSet wanted, BitSet here) throws IOException {
        NavigableMap<Integer, String> texts = new TreeMap<>();
        for (NodeAnswer answer : ask(wanted)) {
            answer.problem().filter(told::add).ifPresent(Console::sayAtOnce);
            for (Map<String, Object> rank : answer.objects(LogsHandler.RANKS)) {
                if (rank.get("rank") instanceof Number number && !here.get(number.intValue())) {
                    texts.put(number.intValue(), newOutput(number.intValue(), rank));
                }
            }
        }
        got.clear();
        texts.keySet().forEach(got::set);
        for (Map.Entry<Integer, String> text : texts.entrySet()) {
            for (String line : text.getValue().lines().toList()) {
                printer.print("rank " + text.getKey(), Optional.empty(), line.getBytes(StandardCharsets.UTF_8));
            }
        }
        if (!isMissingReported) {
            reportMissing(wanted, texts);
        }
    }

    /** A rank's new output; empty if the same answer came before and was sent again. */
    private String newOutput(int rank, Map<String, Object> answer) {
        Object end = answer.get(LogsHandler.END);
        return end != null && end.equals(ends.put(rank, end)) ? "" : String.valueOf(answer.get("text"));
    }

    /** Asks all nodes. No answers if the job has ended meanwhile. */
    private List<NodeAnswer> ask(BitSet wanted) {
        Map<String, Object> question = Map.of(
                LogsHandler.RANKS,
                String.join(",", Ranges.of(wanted)),
                LogsHandler.READER,
                reader,
                LogsHandler.TURN,
                ++turn,
                LogsHandler.GOT,
                String.join(",", Ranges.of(got)));
        try {
            List<NodeAnswer> answers = asker.ask(LogsHandler.KIND, question, PATIENCE);
            nodes = answers.size();
            return answers;
        } catch (MusterException itEnds) {
            if (nodes == 0) {
                throw itEnds;
            }
            return List.of();
        }
    }

    private void reportMissing(BitSet wanted, NavigableMap<Integer, String> texts) {
        BitSet missing = (BitSet) wanted.clone();
        isMissingReported = true;
        texts.keySet().forEach(missing::clear);
        JobAsker.reportMissing(missing);
        if (!texts.isEmpty()) {
            boolean needsTimes = request.has(OptionTable.SINCE) || request.has(OptionTable.TIMESTAMPS);
            Console.sayAtOnce("of ranks on other nodes these are the last lines"
                    + (reader.isEmpty() ? " alone" : ", and then what is new") + "; their logs are there"
                    + (needsTimes ? ". Their times are there too: --since leaves nothing out here" : ""));
        }
    }

    private static MusterException missing(BitSet ranks, JobLogs found) {
        String others = String.join(",", Ranges.of(found.ranks()));
        return MusterException.usage("job " + Printable.escape(found.job()) + " has no log of rank "
                + String.join(",", Ranges.of(ranks))
                + (others.isEmpty() ? " here, nor of any other" : " here. It has those of ranks " + others));
    }

    /** Reports logs that are missing or lack times. A running job makes its logs as it goes. */
    private void reportBadLogs(List<RankLog> logs, boolean wantsTimes) {
        if (wantsTimes) {
            logs.forEach(LogsCommand::reportNoTimes);
        }
        logs.stream()
                .filter(log -> launchers.isEmpty() && !Files.isReadable(log.path()))
                .forEach(log -> Console.sayAtOnce(log.title() + ": "
                        + Printable.escape(log.path().toString()) + " is not there, or cannot be read"));
    }

    private static void reportNoTimes(RankLog log) {
        if (!log.hasTimes()) {
            Console.sayAtOnce(log.title() + ": " + Printable.escape(log.path().toString())
                    + " has no times, since the job was started without " + OptionTable.TIMESTAMPS.flag()
                    + ": all of it is shown");
        }
    }

    /** Reports that no log is known. A job between two attempts has no processes that would tell their logs. */
    private void reportNone(String job) {
        if (launchers.isEmpty()) {
            Console.sayAtOnce(job + " has no log on this node");
        } else {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    job + " tells of no log on this node now: it starts again, or has none. Try again, or give "
                            + OptionTable.FOLLOW.flag());
        }
    }

    private JobLogs findLogs() {
        Optional<String> given = request.value(OptionTable.LOG_DIR);
        // A launcher that is ending answers no more, but its result tells the logs.
        Optional<JobLogs> running =
                given.isPresent() ? Optional.empty() : runningLogs().filter(logs -> !launchers.isEmpty());
        return running.or(() -> JobLogs.ofResults(ended, request.job()).filter(logs -> !logs.isEmpty()))
                .orElseThrow(() -> new MusterException(
                        ExitCode.UNAVAILABLE,
                        "no logs: " + (given.isPresent() ? "" : "no launcher of yours runs such a job here, and ")
                                + Printable.escape(ended.toString()) + " has no result that can be read"
                                + request.job()
                                        .map(job -> " of job " + Printable.quote(job))
                                        .orElse("")
                                + ". Give " + OptionTable.LOG_DIR.usage() + " of a job that has ended"));
    }

    private Optional<JobLogs> runningLogs() {
        List<Map<String, @Nullable Object>> list = new ListCommand(LauncherFinder.here()).ofJob(request.job());
        return list.stream().findFirst().map(first -> logs(String.valueOf(first.get("job")), list));
    }

    private JobLogs logs(String job, List<Map<String, @Nullable Object>> list) {
        JobLogs logs = new JobLogs(job);
        isStarting = list.stream().allMatch(launcher -> "starting".equals(launcher.get("state")));
        for (Map<String, @Nullable Object> launcher : list) {
            if (launcher.get("processes") instanceof List<?> processes) {
                logs.add(processes);
            }
            List<ProcessHandle> both = Stream.of("pid", "supervisor")
                    .flatMap(key -> process(launcher.get(key)).stream())
                    .toList();
            if (both.size() == 2) {
                launchers.add(both);
            }
        }
        return logs;
    }

    private static Optional<ProcessHandle> process(@Nullable Object pid) {
        return pid instanceof Number number ? ProcessHandle.of(number.longValue()) : Optional.empty();
    }
}
