package dev.muster.runtime.simulate;

import dev.muster.runtime.config.Fault;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import java.util.List;

/** Which ranks a simulation kills ({@code --fail}), and on which node each of them runs. */
final class RankFaults {

    private final Settings settings;

    RankFaults(Settings settings) {
        this.settings = settings;
    }

    /** @throws MusterException when there is no such rank */
    void check(String engine, List<VirtualNode> nodes) {
        List<String> ranks = nodes.stream()
                .flatMap(node -> node.provision().ranks().stream())
                .toList();
        for (Setting setting : settings.all(OptionTable.FAIL)) {
            if (ranks.isEmpty()) {
                throw Settings.refusal(
                        setting,
                        "names a rank, but engine " + engine
                                + " does not tell which ranks this job has: its processes start them themselves");
            }
            if (!ranks.contains(fault(setting).rank())) {
                throw Settings.refusal(setting, "names no rank of this job, which has " + words(ranks));
            }
        }
    }

    /** What the launcher of a node is told; empty where none of its ranks is meant. */
    List<Fault> of(VirtualNode node) {
        return settings.all(OptionTable.FAIL).stream()
                .map(RankFaults::fault)
                .filter(fault -> node.provision().ranks().contains(fault.rank()))
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
