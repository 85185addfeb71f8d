package dev.muster.engine.ascend;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Starts a job on Ascend cards: one process per card of this node, with the ranks of the job's rank table. */
public final class AscendEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "ascend", "one process per Ascend card, ranks from the job's rank table")
            .withOptions(RankTableSource.OPTION, Framework.OPTION)
            .withExamples(
                    "-- python3 train.py",
                    "--cards 8 -- python3 train.py",
                    "--rank-table table.json -- python3 train.py")
            .withVariables(
                    // CANN's set_env.sh changes the first ones. Ranks also get any other variable that it
                    // changes.
                    "ASCEND_*",
                    "LD_LIBRARY_PATH",
                    "PATH",
                    "PYTHONPATH",
                    "TOOLCHAIN_HOME",
                    "DEVICE_ID",
                    "DEVICE_INDEX",
                    "DEVICE_NUM",
                    "GROUP_INFO_FILE",
                    Ranks.CONNECT_TIMEOUT_VARIABLE,
                    "HCCL_IF_IP",
                    "HCCL_WHITELIST_DISABLE",
                    "JOB_ID",
                    "MASTER_ADDR",
                    Ranks.MINDSPORE_TABLE_VARIABLE,
                    "PYTHONUNBUFFERED",
                    "RANK",
                    "RANK_ID",
                    "RANK_SIZE",
                    Ranks.TABLE_VARIABLE,
                    "SERVER_ID",
                    "SERVER_NUM",
                    "TASK_QUEUE_ENABLE",
                    "WORLD_SIZE");

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>(RankTableSource.inputs(job));
        if (Framework.of(job).isPresent()) {
            inputs.addAll(FrameworkRanks.inputs(job));
        }
        return inputs;
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Optional<RankTable> table = RankTableSource.table(request);
        return table.isPresent()
                ? plan(request, table.get())
                : plan(request, new BareServer(request).assignment()).build();
    }

    /** If neither the platform nor options tell the nodes, the table does. */
    private static LaunchPlan plan(PlanRequest request, RankTable table) throws PlanException {
        Node node = request.node();
        LaunchPlan.Builder plan;
        if (table.cards() == 0) {
            new CardAgreement(request, table, "this node").number(0);
            plan = plan(request, NodeAssignment.alone(Map.of(), "no devices in rank table " + table.path(), node));
        } else {
            TableNode own = TableNodeFinder.find(table, request.job(), node);
            plan = plan(request, NodeAssignment.of(request, table, own));
            if (!LauncherNodes.areKnown(node)) {
                table.launchers(own).ifPresent(plan::launchers);
            }
        }
        return table.namesNodes() ? plan.over(table.nodes().size()).build() : plan.build();
    }

    private static LaunchPlan.Builder plan(PlanRequest request, NodeAssignment assignment) throws PlanException {
        Optional<Framework> framework = Framework.of(request.job());
        LaunchPlan.Builder plan;
        if (framework.isEmpty()) {
            plan = new Ranks(request.job(), assignment).plan();
        } else {
            NodeAssignment told = assignment.worldSize() == 1 ? assignment.withoutTable() : assignment;
            plan = new FrameworkRanks(request, framework.get(), told).plan();
        }
        String word = framework.map(Enum::name).orElse("NONE").toLowerCase(Locale.ROOT);
        return assignment.place().count() > 1 ? plan.equal(Framework.OPTION.name(), word) : plan;
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        return new SimulatedTable(cluster).provisions();
    }
}
