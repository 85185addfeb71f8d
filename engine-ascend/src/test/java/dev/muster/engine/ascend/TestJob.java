package dev.muster.engine.ascend;

import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlatformContract;
import dev.muster.testkit.runtime.EngineTestJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job on a node with Ascend cards. */
final class TestJob extends EngineTestJob<TestJob> {

    static final String TABLE_PATH = "/user/config/jobstart_hccl.json";
    static final JobDirectories MODELARTS_PLACES =
            new JobDirectories("/m/workspace", true, "/tmp/log", Optional.of("/m/rank_table"));

    TestJob() {
        super(new AscendEngine());
        id("modelarts-job-x").command("python", "a b.py").places(MODELARTS_PLACES);
        machine("box", "10.1.1.1", "127.0.0.1", "::1");
    }

    TestJob table(String json) {
        return table(TABLE_PATH, TestJson.object(json));
    }

    TestJob table(String path, Map<String, Object> content) {
        return input("rank-table", new InputValue.Json(path, content));
    }

    /** A platform that writes rank tables. */
    TestJob onModelArts() {
        return platform(PlatformContract.named("modelarts")
                .withRankTable(TABLE_PATH)
                .withNameVariable("MA_CURRENT_INSTANCE_NAME")
                .withAddressVariable("MA_CURRENT_HOST_IP"));
    }

    /** A platform that writes this table and tells a container the address of its host in a variable. */
    TestJob on(String platformName, String tablePath, String addressVariable) {
        return platform(
                PlatformContract.named(platformName).withRankTable(tablePath).withAddressVariable(addressVariable));
    }

    TestJob onMindXDl() {
        return on("mindx-dl", "/user/serverid/devindex/config/hccl.json", "XDL_IP");
    }

    TestJob onApulis() {
        return on("apulis", "/home/u/.npu/j/hccl_ms.json", "DLWS_SD_SELF_IP");
    }

    /** A platform that writes no rank tables. */
    TestJob onSlurm() {
        return platform(PlatformContract.named("slurm"));
    }

    TestJob pod(String podName) {
        return name(podName, "MA_CURRENT_INSTANCE_NAME");
    }

    /** The cards that the variable of CANN names. */
    TestJob visible(String list) {
        return variable("ASCEND_RT_VISIBLE_DEVICES", list)
                .usable("ASCEND_RT_VISIBLE_DEVICES", list.replace(" ", "").split(",", -1));
    }

    TestJob hostAddress(String ip) {
        return address(ip, "MA_CURRENT_HOST_IP");
    }

    TestJob machine(String hostName, String... addresses) {
        return machine(new NodeInfo(hostName, List.of(addresses), 1000, Optional.empty(), 4));
    }

    /** The nodes of the job that the table lists. */
    List<Host> listed() throws PlanException {
        return RankTableSource.table(request()).map(RankTable::hosts).orElse(List.of());
    }

    /** The ranks that the node starts, in order. */
    static List<Integer> ranks(LaunchPlan plan) {
        return tasks(plan).stream()
                .map(task -> task.placement().orElseThrow().rank())
                .toList();
    }
}
