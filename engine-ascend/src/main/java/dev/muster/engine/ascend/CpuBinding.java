package dev.muster.engine.ascend;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Binds each rank of a node to an equal share of the CPUs that the node may use.
 *
 * @param words the words before the command of each rank; empty if ranks are not bound
 * @param flaw why ranks are not bound; empty if they are
 */
record CpuBinding(List<List<String>> words, String flaw) {

    static final Input.Program TASKSET = new Input.Program("taskset", "taskset", List.of("/usr/bin", "/bin"));

    private static final int HIGHEST_CPU = 65535;

    CpuBinding {
        words = List.copyOf(words);
    }

    /** @param allowed the CPUs as the kernel writes them: {@code 0-3,8}; empty when unknown */
    static CpuBinding of(PlanRequest request, String allowed, int ranks) {
        List<Integer> cpus = parse(allowed);
        String taskset = request.input(TASKSET.id(), InputValue.Program.class)
                .map(InputValue.Program::path)
                .orElse("");
        if (taskset.isEmpty()) {
            return new CpuBinding(List.of(), "taskset is not installed: ranks are not bound to CPUs");
        }
        if (cpus.size() < ranks) {
            String known = allowed.isEmpty() ? "that are unknown" : Messages.quote(allowed);
            return new CpuBinding(
                    List.of(),
                    "ranks are not bound to CPUs: this node may use CPUs " + known + ", fewer than " + ranks
                            + " ranks need");
        }
        List<List<String>> words = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            List<Integer> share = cpus.subList(i * cpus.size() / ranks, (i + 1) * cpus.size() / ranks);
            words.add(List.of(taskset, "-c", Messages.ranges(share)));
        }
        return new CpuBinding(words, "");
    }

    /** The CPUs in ascending order; empty when the text is no such list. */
    private static List<Integer> parse(String allowed) {
        TreeSet<Integer> cpus = new TreeSet<>();
        for (String range : allowed.strip().split(",", -1)) {
            int dash = range.indexOf('-');
            int first = WholeNumber.parse(dash < 0 ? range : range.substring(0, dash), HIGHEST_CPU);
            int last = dash < 0 ? first : WholeNumber.parse(range.substring(dash + 1), HIGHEST_CPU);
            if (first == WholeNumber.NONE || last < first) {
                return List.of();
            }
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return List.copyOf(cpus);
    }
}
