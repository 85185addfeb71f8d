package dev.muster.engine.ascend;

import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contract of MindX DL's {@code train_start.sh} and {@code main.sh}: what they give to the training scripts of a framework.
 * Their defects are left out.
 */
final class FrameworkContract extends RankContract {

    /** The constant that the scripts have. */
    private static final String JOB_ID = "123456789";

    private static final String PYTHON_PATH = "PYTHONPATH";

    /** What PyTorch's ranks get unless the user has set it. */
    private static final Map<String, String> PYTORCH_DEFAULTS = Map.of(
            "ASCEND_GLOBAL_EVENT_ENABLE", "0",
            "ASCEND_GLOBAL_LOG_LEVEL", "3",
            "ASCEND_SLOG_PRINT_TO_STDOUT", "0",
            "HCCL_WHITELIST_DISABLE", "1",
            "TASK_QUEUE_ENABLE", "1");

    private static final Input.Program TASKSET = new Input.Program("taskset", "taskset", List.of("/usr/bin", "/bin"));

    private final Framework framework;
    private final NodeAssignment share;
    private final NodeEnvironment node;
    private final Optional<String> taskset;
    private final CpuRanges cpus;
    private final String firstAddress;

    /** @throws PlanException when the framework's way of counting does not fit to the job */
    FrameworkContract(PlanRequest request, Framework framework, NodeAssignment share) throws PlanException {
        super(request.job());
        this.framework = framework;
        this.share = share;
        this.node = NodeEnvironment.read(request);
        this.taskset = request.input(TASKSET.id(), InputValue.Program.class).map(InputValue.Program::path);
        this.cpus = CpuRanges.of(node.cpus(), share.ranks().size());
        this.firstAddress = framework == Framework.PYTORCH && !isSingle() ? firstAddress() : "";
    }

    static List<Input> inputs(JobSpec job) {
        return List.of(NodeEnvironment.input(job), TASKSET);
    }

    @Override
    SortedMap<String, String> inherited() {
        return node.variables();
    }

    @Override
    EnvironmentChange beforehand() {
        SortedMap<String, Value> set = new TreeMap<>();
        for (String name : node.changed()) {
            set.put(name, Value.of(node.variables().getOrDefault(name, "")));
        }
        return EnvironmentChange.of(set, node.removed());
    }

    @Override
    RequiredDirectory workDirectory(int rank, int card) {
        if (framework != Framework.MINDSPORE) {
            return super.workDirectory(rank, card);
        }
        String kind =
                job.option(Framework.DIRECTORIES.name()).map(OptionValue::value).orElse("device");
        RequiredDirectory directory = RequiredDirectory.of(
                job.places().workDirectory() + "/" + kind + rank, "working directory of rank " + rank);
        // An id that this launcher has made up would be another one in the next run.
        return kind.equals("device") ? directory : directory.emptied(job.idIsShared() ? job.id() : "a job without id");
    }

    @Override
    List<Value> command(int rank, int card) {
        List<String> words = new ArrayList<>();
        if (bindsCpus() && taskset.isPresent() && !cpus.lists().isEmpty()) {
            words.addAll(List.of(taskset.get(), "-c", cpus.lists().get(card)));
        }
        words.addAll(job.command());
        words.addAll(arguments(rank, card));
        return Launch.literally(words);
    }

    private List<String> arguments(int rank, int card) {
        return switch (framework) {
            case MINDSPORE -> List.of();
            case TENSORFLOW ->
                output().map(directory -> List.of("--model_dir=" + directory + "/models/device_" + rank + "/"))
                        .orElse(List.of());
            case PYTORCH ->
                isSingle()
                        ? List.of("--gpu=0")
                        : List.of(
                                "--gpu=" + card,
                                "--addr=" + firstAddress,
                                "--world-size=" + share.place().count(),
                                "--rank=" + share.place().index());
        };
    }

    @Override
    EnvironmentChange environment(int rank, String workDirectory) {
        SortedMap<String, Value> set = new TreeMap<>();
        List<String> remove = new ArrayList<>();
        set.put("JOB_ID", Value.of(JOB_ID));
        setDefault(set, "PYTHONUNBUFFERED", "1");
        String others = node.variables().getOrDefault(PYTHON_PATH, "");
        // An empty part would be the working directory of the rank.
        set.put(PYTHON_PATH, Value.of(others.isEmpty() ? job.directory() : job.directory() + ":" + others));
        if (isSingle()) {
            set.put("DEVICE_NUM", Value.of(1));
            set.put("DEVICE_INDEX", Value.of(0));
        }
        switch (framework) {
            case TENSORFLOW -> set.put("DEVICE_INDEX", Value.of(rank));
            case MINDSPORE -> setForMindSpore(set, workDirectory);
            case PYTORCH -> setForPyTorch(set, remove);
        }
        return EnvironmentChange.of(set, remove);
    }

    private void setForMindSpore(SortedMap<String, Value> set, String workDirectory) {
        set.put("DEVICE_NUM", Value.of(share.worldSize()));
        set.put("SERVER_NUM", Value.of(share.place().count()));
        set.put("SERVER_ID", Value.of(share.place().index()));
        set.put("GROUP_INFO_FILE", Value.of(workDirectory + "/group_info.pb"));
    }

    /** Here RANK and WORLD_SIZE count servers, and RANK_SIZE the cards of one. Its scripts are told their card by an argument. */
    private void setForPyTorch(SortedMap<String, Value> set, List<String> remove) {
        if (isSingle()) {
            return;
        }
        set.put("RANK_SIZE", Value.of(share.ranks().size()));
        set.put("RANK", Value.of(share.place().index()));
        set.put("WORLD_SIZE", Value.of(share.place().count()));
        set.put("MASTER_ADDR", Value.of(firstAddress));
        share.place().ownAddress().ifPresent(address -> setDefault(set, "HCCL_IF_IP", address));
        PYTORCH_DEFAULTS.forEach((name, value) -> setDefault(set, name, value));
        remove.addAll(List.of("DEVICE_ID", "ASCEND_DEVICE_ID"));
    }

    private void setDefault(SortedMap<String, Value> set, String name, String value) {
        if (!node.variables().containsKey(name)) {
            set.put(name, Value.of(value));
        }
    }

    @Override
    List<GeneratedFile> files(String processId, String workDirectory) {
        return framework == Framework.MINDSPORE
                ? List.of(new GeneratedFile(
                        "environment of " + processId,
                        Optional.of(workDirectory),
                        "env.log",
                        Value.environmentOf(processId)))
                : List.of();
    }

    @Override
    List<RequiredDirectory> directories() {
        return framework == Framework.TENSORFLOW
                ? output()
                        .map(directory -> RequiredDirectory.of(directory, "output directory")
                                .orWarn())
                        .stream()
                        .toList()
                : List.of();
    }

    @Override
    List<Note> notes() {
        List<Note> notes = new ArrayList<>(super.notes());
        notes.addAll(node.notes());
        if (bindsCpus() && taskset.isEmpty()) {
            notes.add(Note.warning("taskset is not installed: ranks are not bound to CPUs"));
        } else if (bindsCpus() && cpus.lists().isEmpty()) {
            notes.add(Note.warning("ranks are not bound to CPUs: this node may use CPUs "
                    + (node.cpus().isEmpty() ? "that are unknown" : Messages.quote(node.cpus())) + ", fewer than "
                    + share.ranks().size() + " ranks need"));
        }
        if (framework == Framework.TENSORFLOW && output().isEmpty()) {
            notes.add(Note.info("no --" + Framework.OUTPUT.name() + ": ranks get no --model_dir"));
        }
        return notes;
    }

    private boolean bindsCpus() {
        return framework != Framework.MINDSPORE && share.ranks().size() > 1;
    }

    private Optional<String> output() {
        return job.option(Framework.OUTPUT.name()).map(OptionValue::value);
    }

    /** One rank is the whole job: the scripts give it no table. */
    private boolean isSingle() {
        return share.worldSize() == 1;
    }

    private String firstAddress() throws PlanException {
        String origin =
                job.option(Framework.OPTION.name()).map(OptionValue::origin).orElse("");
        if (!share.place().isRegular()) {
            throw new PlanException(
                    PlanException.Kind.DATA,
                    "framework pytorch (" + origin + ") counts ranks as server x cards per server + card, but the rank"
                            + " table numbers the cards of this server " + Messages.ranges(share.ranks())
                            + ", or its servers have different numbers of cards. Correct the table, or give"
                            + " --framework none and let the script read RANK_ID");
        }
        return share.place()
                .firstAddress()
                .orElseThrow(() -> new PlanException(
                        PlanException.Kind.CONFIGURATION,
                        "framework pytorch (" + origin + ") needs the first server's address for MASTER_ADDR, and the"
                                + " rank table names no servers. Give --hosts A,B,..."));
    }
}
