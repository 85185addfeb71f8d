package dev.muster.runtime.launch;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.text.Ranges;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Binds each rank of this node to some of the CPUs that the launcher may use. {@code taskset} starts the ranks.
 *
 * @param setting of {@code --bind}
 * @param files of this machine
 * @param taskset the program
 */
record CpuBinding(Setting setting, MachineFiles files, Optional<Path> taskset) {

    static final String NONE = "none";
    private static final String NUMA = "numa";
    private static final String NODES = "/sys/devices/system/node";

    /** @throws MusterException when there are fewer cores than ranks, or when mpirun or torchrun starts the ranks */
    LaunchPlan applied(LaunchPlan plan) {
        List<ProcessSpec> ranks = plan.processes().stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
        if (ranks.isEmpty()) {
            return plan;
        }
        if (plan.processes().stream().anyMatch(process -> process.hosted().isPresent())) {
            throw hostedRanksError();
        }
        List<BitSet> parts = parts(ranks.size());
        List<String> shown = new ArrayList<>();
        List<ProcessSpec> bound = new ArrayList<>(plan.processes());
        for (int i = 0; i < parts.size(); i++) {
            ProcessSpec rank = ranks.get(i);
            bound.set(plan.processes().indexOf(rank), bound(rank, text(parts.get(i))));
            shown.add(rank.id() + ": CPUs " + text(parts.get(i)));
        }
        Note note = Note.info("bound (" + setting.origin() + "): " + Conditions.list(shown));
        return plan.withProcesses(bound).toBuilder().notes(List.of(note)).build();
    }

    private MusterException hostedRanksError() {
        return new MusterException(
                setting.source().exitCode(),
                given() + " binds ranks that Muster starts itself, and mpirun or torchrun starts those of this job."
                        + " Give -o mpirun-args='--bind-to core', or -o torchrun-args='--numa-binding node'");
    }

    private ProcessSpec bound(ProcessSpec rank, String cpus) {
        String program = taskset.orElseThrow(() -> new MusterException(
                        ExitCode.UNAVAILABLE,
                        given() + " needs the program taskset, which is not on PATH. Install util-linux"))
                .toString();
        List<Value> words = Launch.literally(List.of(program, "-c", cpus));
        Launch launch = rank.launch();
        List<Value> command = new ArrayList<>(launch.command());
        // The user's --bind replaces the binding that the engine chose.
        if (Collections.indexOfSubList(command, words.subList(0, 2)) == 0) {
            command.subList(0, words.size()).clear();
        }
        command.addAll(0, words);
        return rank.withLaunch(new Launch(command, launch.environment(), launch.workDirectory(), launch.logFile()));
    }

    /** The CPUs of each rank: equal shares of whole cores, or a NUMA node. */
    private List<BitSet> parts(int ranks) {
        BitSet allowed = allowed();
        boolean isNuma = setting.value().equals(NUMA);
        List<BitSet> units = isNuma ? nodes(allowed) : cores(allowed);
        int count = units.size();
        if (!isNuma && count < ranks) {
            throw MusterException.configuration(given() + ": the " + ranks
                    + " ranks of this node need a core each, and the"
                    + " CPUs that this launcher may use (cpuset " + text(allowed) + ") are " + count
                    + (count == 1 ? " core" : " cores") + ". Start fewer ranks, allow more CPUs, or give --bind none");
        }
        List<BitSet> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            BitSet part = new BitSet();
            int first = rank * count / ranks;
            int next = isNuma ? first + 1 : (rank + 1) * count / ranks;
            units.subList(first, next).forEach(part::or);
            parts.add(part);
        }
        return parts;
    }

    private BitSet allowed() {
        String status = files.text("/proc/self/status").orElse("");
        BitSet allowed = cpus(ReadableFiles.field(status, "Cpus_allowed_list:"));
        if (allowed.isEmpty()) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, given() + ": /proc/self/status does not tell the CPUs. Give --bind none");
        }
        return allowed;
    }

    /** The NUMA nodes that have any of these CPUs. If the kernel lists none, all CPUs are one node. */
    private List<BitSet> nodes(BitSet allowed) {
        List<BitSet> nodes = new ArrayList<>();
        List<Integer> numbers = files.names(NODES).stream()
                .filter(name -> name.matches("node[0-9]{1,6}"))
                .map(name -> Integer.valueOf(name.substring(4)))
                .sorted()
                .toList();
        for (int number : numbers) {
            BitSet node = cpus(files.text(NODES + "/node" + number + "/cpulist").orElse(""));
            node.and(allowed);
            if (!node.isEmpty()) {
                nodes.add(node);
            }
        }
        return nodes.isEmpty() ? List.of(allowed) : nodes;
    }

    /** The CPUs by core, so that no two ranks share a core. */
    private List<BitSet> cores(BitSet allowed) {
        TreeMap<Integer, BitSet> cores = new TreeMap<>();
        allowed.stream().forEach(cpu -> {
            String file = "/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list";
            BitSet core = cpus(files.text(file).orElse(""));
            core.set(cpu);
            core.and(allowed);
            cores.put(core.nextSetBit(0), core);
        });
        return List.copyOf(cores.values());
    }

    private String given() {
        return setting.origin() + " " + setting.value();
    }

    /** Reads a list as the kernel writes it, such as {@code 0-3,8}. */
    private static BitSet cpus(String list) {
        return NumberList.ranks(list.strip()).orElseGet(BitSet::new);
    }

    private static String text(BitSet cpus) {
        return String.join(",", Ranges.of(cpus));
    }
}
