package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;

class LevelListTest {

    static String table(int... ranks) {
        StringBuilder list = new StringBuilder();
        for (int rank : ranks) {
            list.append(list.isEmpty() ? "" : ", ")
                    .append("{'rank_id': ")
                    .append(rank)
                    .append(", 'local_id': 0, 'device_id': 0, 'level_list': [{'net_layer': 0}]}");
        }
        return "{'status': 'completed', 'version': '2.0', 'rank_count': " + ranks.length + ", 'rank_list': [" + list
                + "]}";
    }

    @Test
    void integersAreNoReasonForACopy() {
        LaunchPlan plan = new TestJob().table(table(0)).plan();

        assertThat(plan.files()).isEmpty();
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo(TestJob.TABLE_PATH);
        assertThat(TestJob.warnings(plan)).isEmpty();
    }

    @Test
    void nodeHasItsBlockOfRanksWhateverTheOrderInTheFile() {
        TestJob job = new TestJob().table(table(5, 3, 1, 0, 2, 4));

        assertThat(TestJob.ranks(job.node(0, 3).plan())).containsExactly(0, 1);
        assertThat(TestJob.ranks(job.node(2, 3).plan())).containsExactly(4, 5);
        assertThat(TestJob.ranks(job.node(1, 2).plan())).containsExactly(3, 4, 5);
        assertThat(TestJob.variable(job.node(1, 2).plan(), "RANK_SIZE")).isEqualTo("6");
        assertThat(TestJob.variable(job.node(1, 2).plan(), "DEVICE_ID")).isEqualTo("0");
    }

    @Test
    void oneNodeHasAllRanks() {
        assertThat(TestJob.ranks(new TestJob().table(table(1, 0)).nodes(1).plan()))
                .containsExactly(0, 1);
    }

    @Test
    void unknownNodesAreRefused() {
        new TestJob()
                .table(table(0, 1))
                .assertRefused(Kind.DATA, TestJob.TABLE_PATH + ", /rank_list: ", "--nodes", "--node-index");
        new TestJob().table(table(0, 1)).nodes(2).assertRefused(Kind.DATA, "/rank_list: ", "--node-index");
        new TestJob().table(table(0, 1)).node(2, 2).assertRefused(Kind.DATA, "/rank_list: ", "--node-index");
    }

    @Test
    void unequalBlocksAreRefused() {
        new TestJob()
                .table(table(0, 1, 2))
                .node(0, 2)
                .assertRefused(Kind.DATA, "/rank_list: 3 ranks cannot be shared equally by 2 nodes");
    }

    @Test
    void wrongTablesAreRefused() {
        new TestJob()
                .table(table(0, 2))
                .node(0, 1)
                .assertRefused(Kind.DATA, "/rank_list: rank_id 1 is missing though 2 is there");
        new TestJob()
                .table(table(0, 0))
                .node(0, 1)
                .assertRefused(Kind.DATA, "/rank_list/1/rank_id: ", "appears twice", "/rank_list/0/rank_id");
        new TestJob()
                .table(table(0).replace("'rank_count': 1", "'rank_count': 2"))
                .assertRefused(Kind.DATA, "/rank_count: rank_count says 2 but 1 ranks are listed");
        new TestJob().table(table(0).replace("'2.0'", "'1.0'")).assertRefused(Kind.DATA, "/version: ", "\"1.0\"");
    }
}
