package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** Finds the job's rank table: the first of option, variables, the platform's contract and the default path. */
final class RankTableSource {

    /** The name of the table's file, in the platform's directory and in this engine's. */
    static final String FILE_NAME = "jobstart_hccl.json";

    static final EngineOption OPTION = EngineOption.of(
            "rank-table", EngineOption.Kind.PATH, "the rank table, or the directory that holds it as " + FILE_NAME);

    /** The variable with a file of template 1. It wins over {@link Ranks#TABLE_VARIABLE}. */
    static final String TEMPLATE_ONE_VARIABLE = "RANK_TABLE_FILE_V_1_0";

    static final Input.Parser PARSER = RankTable::read;

    private static final String ID = "rank-table";
    private static final String DEFAULT_PATH = "/user/config/" + FILE_NAME;

    private RankTableSource() {}

    /** The table. If it may be missing, also the input that tells the cards of a bare server. */
    static List<Input> inputs(JobSpec job) {
        Optional<Input> named = byOption(job);
        if (named.isPresent()) {
            return List.of(named.get());
        }
        Input byDefault = table(new OptionValue(DEFAULT_PATH, "default"), Optional.empty(), false);
        return List.of(byDefault, BareServer.ADDRESSES);
    }

    /** The table that was read; empty when nobody named one and the default file does not exist. */
    static Optional<RankTable> table(PlanRequest request) {
        return request.input(ID, RankTable.class);
    }

    /** Whether ModelArts named a table of template 1: by its contract the only server of such a table is this node. */
    static boolean isTemplateOneByContract(JobSpec job) {
        return job.option(OPTION.name()).isEmpty()
                && job.variable(TEMPLATE_ONE_VARIABLE).isPresent();
    }

    private static Optional<Input> byOption(JobSpec job) {
        // Paths in variables stay as they are: the runtime resolves a relative path against the caller's directory.
        return awaited(job.option(OPTION.name()), Optional.of(FILE_NAME))
                .or(() -> awaited(job.variable(TEMPLATE_ONE_VARIABLE), Optional.empty()))
                // It names a directory for a boot program, and a file for a process that a boot program starts.
                .or(() -> awaited(job.variable(Ranks.TABLE_VARIABLE), Optional.of(FILE_NAME)))
                .or(() -> awaited(job.variable(Ranks.MINDSPORE_TABLE_VARIABLE), Optional.empty()))
                .or(() -> awaited(byPlatform(job.platform()), Optional.empty()));
    }

    private static Optional<OptionValue> byPlatform(PlatformContract platform) {
        return platform.rankTable().map(path -> new OptionValue(path, "platform " + platform.name()));
    }

    private static Optional<Input> awaited(Optional<OptionValue> path, Optional<String> nameInDirectory) {
        return path.map(file -> table(file, nameInDirectory, true));
    }

    private static Input table(OptionValue file, Optional<String> nameInDirectory, boolean isRequired) {
        List<String> pending = List.of("initializing");
        return new Input.JsonFile(
                ID, file.value(), nameInDirectory, file.origin(), isRequired, "status", "completed", pending, PARSER);
    }
}
