package dev.muster.engine.ascend;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
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
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Boots a job on Ascend cards: one process per card of this node, with the ranks that the job's rank table tells. */
public final class AscendEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "ascend", "one process per Ascend card, ranks from the job's rank table")
            .withOptions(
                    RankTableSource.OPTION,
                    Framework.OPTION,
                    Framework.OUTPUT,
                    Framework.DIRECTORIES,
                    NodeEnvironment.OPTION,
                    RestorePlan.OPTION)
            .withSimulationOptions(EngineOption.choice(
                    SimulatedTables.OPTION,
                    "family of the rank table that the simulated cluster writes",
                    SimulatedTables.families()))
            .withVariables(
                    // The first ones are also what CANN's set_env.sh changes; whatever else it does, ranks get that,
                    // too.
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
                    Restore.MAP_VARIABLE,
                    Restore.RANKS_VARIABLE,
                    "SERVER_ID",
                    "SERVER_NUM",
                    "TASK_QUEUE_ENABLE",
                    "WORLD_SIZE");

    /** The table that was read last: the plans of all nodes ask for it thousands of times. */
    private @Nullable RankTable lastTable;

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>(RankTableSource.inputs(job));
        if (Framework.of(job).isPresent()) {
            inputs.addAll(FrameworkContract.inputs(job));
        }
        inputs.addAll(RestorePlan.inputs(job));
        return inputs;
    }

    /** The checkpoints that a job restores, as its file names them. */
    @Override
    public List<Input> moreInputs(PlanRequest request) throws PlanException {
        Optional<RestorePlan> restore = RestorePlan.read(request);
        return restore.isEmpty()
                ? List.of()
                : restore.get().checkpoints(share(request).worldSize());
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = RankTableSource.file(request);
        NodeAssignment share = share(request);
        Restore restore = Restore.of(request, share.worldSize());
        LaunchPlan.Builder builder = plan(request, restore.told(share)).toBuilder();
        // Nodes that restore different states would train something that nobody wants.
        restore.ranks().ifPresent(ranks -> builder.equal(Restore.EQUAL, ranks));
        LaunchPlan plan = builder.build();
        return file.isPresent() ? amongOthers(plan, table(file.get()), request) : plan;
    }

    /** Where neither platform nor options tell the nodes, the table does. */
    private static LaunchPlan amongOthers(LaunchPlan plan, RankTable table, PlanRequest request) throws PlanException {
        LaunchPlan.Builder builder = plan.toBuilder();
        if (table.namesNodes()) {
            builder.over(table.nodes().size());
        }
        if (table.cards() > 0 && !LauncherNodes.areKnown(request.node())) {
            table.launchers(OwnNode.find(table, request.job(), request.node())).ifPresent(builder::launchers);
        }
        return builder.build();
    }

    private static LaunchPlan plan(PlanRequest request, NodeAssignment share) throws PlanException {
        Optional<Framework> framework = Framework.of(request.job());
        if (framework.isEmpty()) {
            return Ranks.plan(request.job(), share, new RankContract(request.job()));
        }
        RankContract contract = new FrameworkContract(request, framework.get(), share);
        return Ranks.plan(request.job(), share.worldSize() == 1 ? share.withoutTable() : share, contract);
    }

    @Override
    public List<Host> cluster(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = RankTableSource.file(request);
        return file.isPresent() ? table(file.get()).hosts() : List.of();
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        return new SimulatedTables(cluster).provisions();
    }

    private NodeAssignment share(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = RankTableSource.file(request);
        return file.isPresent() ? shareOf(file.get(), request) : BareServer.share(request);
    }

    private NodeAssignment shareOf(InputValue.Json file, PlanRequest request) throws PlanException {
        RankTable table = table(file);
        if (table.cards() == 0) {
            OwnNode.refuseOtherCards(request.node().cards(), 0, table, "this node");
            return NodeAssignment.alone(Map.of(), "no devices in rank table " + table.path(), request.node());
        }
        TableNode own = OwnNode.find(table, request.job(), request.node());
        OwnNode.refuseOtherCards(request.node().cards(), own.ranks().size(), table, own.label());
        return NodeAssignment.of(
                table, own, TableForRanks.of(table, request.job().places()), request.node());
    }

    @SuppressWarnings("ReferenceEquality") // To compare two documents takes as long as to read one.
    private synchronized RankTable table(InputValue.Json file) throws PlanException {
        RankTable last = lastTable;
        if (last == null
                || last.source().content() != file.content()
                || !last.path().equals(file.path())) {
            last = RankTable.read(file);
            lastTable = last;
        }
        return last;
    }
}
