package dev.muster.runtime.simulate;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import java.util.List;
import java.util.stream.Collectors;

/** The ranks that a simulation kills ({@code --fail}), and their nodes. */
record RankFaults(Settings settings) {

    /** @throws MusterException the job has no such rank */
    void check(String engine, List<VirtualNode> nodes) {
        List<String> ranks = nodes.stream()
                .flatMap(node -> node.provision().ranks().stream())
                .toList();
        settings.all(OptionTable.FAIL).forEach(setting -> check(setting, engine, ranks));
    }

    private void check(Setting setting, String engine, List<String> ranks) {
        if (ranks.isEmpty()) {
            throw Settings.refusal(
                    setting,
                    "names a rank, but engine " + engine
                            + " does not tell which ranks this job has: its processes start them themselves");
        }
        Fault fault = fault(setting);
        int most = 1 + settings.number(OptionTable.RESTARTS).orElse(0);
        if (fault.run().orElse(1) > most) {
            throw Settings.refusal(
                    setting,
                    "is of a run that the job does not have: it has " + most + " at most. Give "
                            + OptionTable.RESTARTS.flag() + " "
                            + (fault.run().getAsInt() - 1));
        }
        if (!ranks.contains(fault.rank())) {
            throw Settings.refusal(setting, "names no rank of this job, which has " + words(ranks));
        }
    }

    /** The faults for a node's launcher, in the user's words; empty if they are for other nodes. */
    String of(VirtualNode node) {
        return settings.all(OptionTable.FAIL).stream()
                .filter(setting ->
                        node.provision().ranks().contains(fault(setting).rank()))
                .map(Setting::value)
                .collect(Collectors.joining(Fault.BETWEEN));
    }

    /** The faults that did not happen, because the job ended before their run. */
    List<String> notReached(int last) {
        return settings.all(OptionTable.FAIL).stream()
                .map(RankFaults::fault)
                .filter(fault -> fault.run().orElse(1) > last)
                .map(fault -> OptionTable.FAIL.flag() + ": rank " + fault.rank() + " was not killed in run "
                        + fault.run().orElseThrow() + ": run " + last + " was the last")
                .toList();
    }

    private static Fault fault(Setting setting) {
        return Fault.parse(setting.value()).orElseThrow();
    }

    private static String words(List<String> ranks) {
        String last = ranks.get(ranks.size() - 1);
        boolean isCounted = last.equals(Integer.toString(ranks.size() - 1));
        return ranks.size() > 1 && isCounted ? ranks.get(0) + ".." + last : String.join(", ", ranks);
    }
}
