package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Setting;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The machine has two NUMA nodes, each with four cores of two CPUs: 0-3 and 8-11, 4-7 and 12-15. */
class CpuBindingTest {

    @TempDir
    Path root;

    @BeforeEach
    void makeMachine() throws IOException {
        for (int cpu = 0; cpu < 16; cpu++) {
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list", cpu % 8 + "," + (cpu % 8 + 8));
        }
        write("sys/devices/system/node/node0/cpulist", "0-3,8-11");
        write("sys/devices/system/node/node1/cpulist", "4-7,12-15");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cores | 0-15 | 2 | 0-3,8-11 4-7,12-15",
                "cores | 0-15 | 8 | 0,8 1,9 2,10 3,11 4,12 5,13 6,14 7,15",
                "cores | 0-15 | 3 | 0-1,8-9 2-4,10-12 5-7,13-15",
                "cores | 2,4-6 | 2 | 2,4 5-6",
                "cores | 3,11 | 1 | 3,11",
                "numa | 0-15 | 4 | 0-3,8-11 0-3,8-11 4-7,12-15 4-7,12-15",
                "numa | 5-6 | 2 | 5-6 5-6",
                "numa | 0-4 | 1 | 0-3"
            })
    void ranksShareWhatTheLauncherMayUse(String how, String cpuset, int ranks, String expected) throws IOException {
        LaunchPlan bound = binding(how, cpuset).applied(plan(ranks));

        assertThat(bound.processes())
                .extracting(process ->
                        process.launch().command().stream().map(Value::text).toList())
                .containsExactlyElementsOf(List.of(expected.split(" ")).stream()
                        .map(cpus -> List.of("/bin/taskset", "-c", cpus, "train"))
                        .toList());
        assertThat(bound.notes().get(0).text()).startsWith("bound (--bind): rank-0: CPUs ");
    }

    @Test
    void numaNodesAreInTheOrderOfTheirNumbers() throws IOException {
        write("sys/devices/system/node/node1/cpulist", "4-5,12-13");
        write("sys/devices/system/node/node2/cpulist", "6,14");
        write("sys/devices/system/node/node10/cpulist", "7,15");

        LaunchPlan bound = binding("numa", "0-15").applied(plan(4));

        assertThat(bound.processes().get(3).launch().command().get(2).text()).isEqualTo("7,15");
    }

    @Test
    void fewerCoresThanRanksAreRefusedWithTheCpuset() throws IOException {
        CpuBinding binding = binding("cores", "3,11");
        assertThatThrownBy(() -> binding.applied(plan(2)))
                .hasMessageContaining("--bind cores")
                .hasMessageContaining("2 ranks")
                .hasMessageContaining("cpuset 3,11");
    }

    @Test
    void ranksOfMpirunAreBoundByItsOwnOptions() throws IOException {
        ProcessSpec mpirun =
                ((ProcessSpec.Task) rank(0)).withHosted(new HostedRanks(Condition.IMMEDIATELY, 0, 0, new TreeSet<>()));
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS).process(mpirun).build();
        CpuBinding binding = binding("numa", "0-15");
        assertThatThrownBy(() -> binding.applied(plan)).hasMessageContaining("mpirun-args='--bind-to core'");
    }

    @Test
    void theUsersWordIsStrongerThanTheEnginesShares() throws IOException {
        Launch shared = new Launch(
                Launch.literally(List.of("/bin/taskset", "-c", "0-7", "train", "-c", "9")),
                EnvironmentChange.NONE,
                "/",
                "0.txt");
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .process(ProcessSpec.task("rank-0", shared))
                .build();

        assertThat(binding("cores", "3,11")
                        .applied(plan)
                        .processes()
                        .get(0)
                        .launch()
                        .command())
                .isEqualTo(Launch.literally(List.of("/bin/taskset", "-c", "3,11", "train", "-c", "9")));
    }

    private CpuBinding binding(String how, String cpuset) throws IOException {
        write("proc/self/status", "Name:\tjava\nCpus_allowed:\tffff\nCpus_allowed_list:\t" + cpuset);
        Setting setting = new Setting("bind", how, "--bind", Setting.Source.COMMAND_LINE);
        return new CpuBinding(setting, new MachineFiles(root), Optional.of(Path.of("/bin/taskset")));
    }

    private static LaunchPlan plan(int ranks) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .processes(
                        IntStream.range(0, ranks).mapToObj(CpuBindingTest::rank).toList())
                .build();
    }

    private static ProcessSpec rank(int index) {
        return ProcessSpec.task(
                "rank-" + index,
                new Launch(Launch.literally(List.of("train")), EnvironmentChange.NONE, "/", index + ".txt"));
    }
}
