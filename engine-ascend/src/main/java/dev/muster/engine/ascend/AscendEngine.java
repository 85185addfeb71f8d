package dev.muster.engine.ascend;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Boots a job on Ascend cards: one process per card of this node, with the ranks that the job's rank table tells. */
public final class AscendEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = new EngineDescriptor(
            "ascend",
            "one process per Ascend card, ranks from the job's rank table",
            List.of(RankTableSource.OPTION),
            List.of(EngineOption.choice(
                    SimulatedTables.OPTION,
                    "family of the rank table that the simulated cluster writes",
                    SimulatedTables.families())),
            new TreeSet<>(List.of(
                    "ASCEND_DEVICE_ID",
                    Ranks.PROCESS_LOG_VARIABLE,
                    BareServer.VISIBLE_CARDS_VARIABLE,
                    "DEVICE_ID",
                    Ranks.CONNECT_TIMEOUT_VARIABLE,
                    "JOB_ID",
                    Ranks.MINDSPORE_TABLE_VARIABLE,
                    "RANK_ID",
                    "RANK_SIZE",
                    Ranks.TABLE_VARIABLE)));

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return RankTableSource.inputs(job);
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = RankTableSource.file(request);
        Share share = file.isPresent() ? shareOf(file.get(), request) : BareServer.share(request);
        LaunchPlan plan = Ranks.plan(request.job(), share);
        int listed = cluster(request).size();
        return listed > 0 ? plan.over(listed) : plan;
    }

    @Override
    public List<Host> cluster(PlanRequest request) throws PlanException {
        Optional<InputValue.Json> file = RankTableSource.file(request);
        return file.isPresent() ? RankTable.read(file.get()).hosts() : List.of();
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        return new SimulatedTables(cluster).provisions();
    }

    private static Share shareOf(InputValue.Json file, PlanRequest request) throws PlanException {
        RankTable table = RankTable.read(file);
        if (table.cards() == 0) {
            OwnNode.refuseOtherCards(request.node().cards(), 0, table, "this node");
            return Share.alone(Map.of(), "no devices in rank table " + table.path());
        }
        TableNode own = OwnNode.find(table, request.job().platform(), request.node());
        OwnNode.refuseOtherCards(request.node().cards(), own.ranks().size(), table, own.label());
        return Share.of(table, own, TableForRanks.of(table, request.job().places()));
    }
}
