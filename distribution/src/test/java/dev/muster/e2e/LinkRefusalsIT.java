package dev.muster.e2e;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A launcher refuses the job before all launchers, or the leader, are there: it tells those that come later. */
@ExtendWith(Scenes.class)
class LinkRefusalsIT {

    private static final int NODES = 3;

    private static LinkJob ofPyTorch(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name);
    }

    /** The launcher of one node refuses the job: its conda environment does not exist. */
    private static LinkJob refusedAt(Scene scene, TestHosts hosts, int node, String... options) {
        LinkJob job = ofPyTorch(scene, hosts, "refused" + node).with(options).script("note waits; exec sleep 600");
        return job.behind(node, "env", "MUSTER_CONDA_ENV=/none");
    }

    @Test
    @DisplayName("a launcher that refuses before others have come tells them when they come; SIGTERM ends this wait")
    void whoRefusesTellsThoseWhoComeLater(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob member = refusedAt(scene, hosts, 1, "--restarts", "1").startOnly(1);
        LinkJob leader = refusedAt(scene, hosts, 0, "--link", "required").startOnly(0);
        LinkJob told = refusedAt(scene, hosts, 2, "--restarts", "1").startOnly(2);
        told.launched(0).awaitMessage("staying for up to 30s").signal("TERM");
        member.launched(0)
                .awaitMessage("staying for up to 30s to tell " + member.node(0) + ", which leads and is not there");
        leader.launched(0)
                .awaitMessage("staying for up to 30s to tell those who have not come yet: " + leader.node(1) + ", "
                        + leader.node(2) + "; a signal ends that");
        List<OnHost> others =
                List.of(member.start(0), member.start(2), leader.start(1), leader.start(2), member.launched(0));
        member.end(78, others.toArray(OnHost[]::new)).forEach(result -> result.says("MUSTER_CONDA_ENV: "));
        leader.end(78);
        told.end(78).forEach(result -> result.says("MUSTER_CONDA_ENV: "));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    private static LinkJob onAPlatform(Scene scene, TestHosts hosts, int node, String... variables) {
        String name = "told-" + variables[0].substring(0, 2).toLowerCase(Locale.ROOT) + node;
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.PLATFORM, name)
                .behind(
                        node,
                        Stream.concat(Stream.of("env"), Stream.of(variables)).toArray(String[]::new))
                .with("--master-port", Integer.toString(20_000 + Math.floorMod(name.hashCode(), 4000)))
                .script("exec sleep 600");
    }

    @Test
    @DisplayName(
            "a launcher that refuses while it reads its platform tells the others, even if it cannot tell its index")
    void whoRefusesItsPlatformTellsTheOthers(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob wrongCount = onAPlatform(scene, hosts, 1, "MA_NUM_HOSTS=many").startOnly(0, 1, 2);
        LinkJob wrongLeader =
                onAPlatform(scene, hosts, 0, "VC_TASK_INDEX=first").startOnly(0, 1, 2);
        LinkJob wrongIndex = onAPlatform(scene, hosts, 2, "VC_TASK_INDEX=last", "MA_CURRENT_INSTANCE_NAME=another")
                .startOnly(0, 1, 2);
        wrongCount.end(78).forEach(result -> result.says("MA_NUM_HOSTS=\"many\""));
        wrongLeader.end(78).forEach(result -> result.says("VC_TASK_INDEX=\"first\""));
        List<Result> unplaced = wrongIndex.end(78);
        unplaced.get(0).says("unplaced (10.77.0.12): a launcher there refuses the job");
        unplaced.get(1).says("unplaced (10.77.0.12): a launcher there refuses the job");
        unplaced.get(2).says("VC_TASK_INDEX=\"last\"");
        hosts.assertNothingIsLeft();
    }
}
