package dev.muster.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The exit codes and the {@code result.json} of the launchers of a {@link JobFaultInjection}. */
final class JobResults {

    private static final int CODE_OF_LOST = 75;
    private static final int CODE_OF_STOP = 143;
    private static final Pattern OWN_NAME = Pattern.compile("as in (\\S+-result-\\w+\\.json)");

    private final List<Integer> codes;
    /** The result of each launcher; an empty object if it took part in no attempt. */
    private final List<JsonNode> results = new ArrayList<>();

    /** @param launchers that have ended */
    JobResults(LinkJob job, OnHost... launchers) {
        this.codes = Arrays.stream(launchers)
                .map(launcher -> launcher.await().exitCode())
                .toList();
        for (int node = 0; node < launchers.length; node++) {
            boolean wasInRun = launchers[node].messages().contains("started 1 rank");
            results.add(wasInRun ? read(job, node, launchers[node]) : Json.parse("{}"));
        }
    }

    /** A suspended launcher of the same node may have written the file with the usual name. */
    private static JsonNode read(LinkJob job, int node, OnHost launcher) {
        Matcher own = OWN_NAME.matcher(launcher.messages());
        String usual = job.id() + "-node-" + node + "-result.json";
        String name = own.find() ? own.group(1) : usual;
        return Json.parse(job.host(node).read(TestHost.LOGS + "/" + name));
    }

    /** Demands that all nodes agree on whether an attempt succeeded, and count the attempts alike. */
    void mustAgree() {
        Map<Integer, List<Integer>> codesOfRuns = new TreeMap<>();
        for (JsonNode result : results) {
            int before = 0;
            for (JsonNode run : result.path("attempts")) {
                int number = run.path("attempt").asInt();
                require(before == 0 || number == before + 1, "runs are not counted one by one");
                before = number;
                codesOfRuns
                        .computeIfAbsent(number, any -> new ArrayList<>())
                        .add(run.path("exitCode").asInt());
            }
        }
        codesOfRuns
                .values()
                .forEach(ofRun -> require(
                        !ofRun.contains(0) || ofRun.stream().allMatch(code -> code == 0), "a run has two ends"));
        int last = codesOfRuns.keySet().stream().reduce((one, other) -> other).orElse(0);
        for (int node = 0; node < codes.size(); node++) {
            boolean wasInLast = lastRun(node) == last;
            require(wasInLast || codes.get(node) != 0, "node " + node + " was not in the last run, and ended with 0");
            // A launcher that comes after the job's end waits for the leader until --input-timeout.
            require(
                    wasInLast || codes.get(node) == CODE_OF_LOST,
                    "node " + node + " came late, and did not end with 75");
        }
        List<Integer> ofLast = codesOfRuns.getOrDefault(last, List.of());
        require(ofLast.stream().distinct().count() <= 1, "the last run has ended in two ways");
    }

    /** Demands this code of all launchers. Unless a signal stopped them, the last attempt must be this one or a later one. */
    void mustEndWith(int code, int run) {
        require(codes.stream().allMatch(each -> each == code), "not all have ended with " + code);
        for (int node = 0; node < codes.size(); node++) {
            require(
                    code == CODE_OF_STOP || lastRun(node) >= run,
                    "the result of node " + node + " tells of other runs than " + run);
        }
    }

    private int lastRun(int node) {
        JsonNode runs = results.get(node).path("attempts");
        return runs.isEmpty() ? 0 : runs.get(runs.size() - 1).path("attempt").asInt();
    }

    private void require(boolean isRight, String otherwise) {
        if (!isRight) {
            throw new AssertionError(otherwise + ": codes " + codes + ", "
                    + results.stream().map(result -> result.path("attempts")).toList());
        }
    }
}
