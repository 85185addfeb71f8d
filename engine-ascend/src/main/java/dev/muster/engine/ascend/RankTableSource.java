package dev.muster.engine.ascend;

import dev.muster.spi.EngineOption;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** Which rank table the job has: the first of option, variables, the platform's promise and the default place. */
final class RankTableSource {

    /** Name of the table in its directory, both where platforms write it and where this engine does. */
    static final String FILE_NAME = "jobstart_hccl.json";

    static final EngineOption OPTION = EngineOption.of(
            "rank-table", EngineOption.Kind.PATH, "the rank table, or the directory that holds it as " + FILE_NAME);

    /** A file of template 1; it wins over {@link Ranks#TABLE_VARIABLE}. */
    static final String TEMPLATE_ONE_VARIABLE = "RANK_TABLE_FILE_V_1_0";

    static final Input.Parser PARSER = RankTable::read;

    private static final String ID = "rank-table";
    private static final String DEFAULT_PATH = "/user/config/" + FILE_NAME;

    private RankTableSource() {}

    /** The table, and where there need not be one, what a bare server knows of its cards. */
    static List<Input> inputs(JobSpec job) {
        Optional<Input> named = named(job);
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

    /** Whether ModelArts named a table of template 1: its contract takes the only server of such a table without a look. */
    static boolean isTemplateOneByContract(JobSpec job) {
        return job.option(OPTION.name()).isEmpty()
                && job.variable(TEMPLATE_ONE_VARIABLE).isPresent();
    }

    private static Optional<Input> named(JobSpec job) {
        // Paths in variables are handed on as they are: the runtime resolves a relative one against the caller's
        // directory.
        return awaited(job.option(OPTION.name()), Optional.of(FILE_NAME))
                .or(() -> awaited(job.variable(TEMPLATE_ONE_VARIABLE), Optional.empty()))
                // For a boot program it names a directory, for what a boot program starts (perhaps another one) a file.
                .or(() -> awaited(job.variable(Ranks.TABLE_VARIABLE), Optional.of(FILE_NAME)))
                .or(() -> awaited(job.variable(Ranks.MINDSPORE_TABLE_VARIABLE), Optional.empty()))
                .or(() -> awaited(promised(job.platform()), Optional.empty()));
    }

    private static Optional<OptionValue> promised(PlatformContract platform) {
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
