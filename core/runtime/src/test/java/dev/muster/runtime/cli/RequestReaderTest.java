package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.runtime.engines.EngineCatalog;
import dev.muster.runtime.engines.TestPlugins;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.plugins.PluginJars;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.spi.OptionValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {

    @TempDir
    private Path directory;

    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void addAnEngine() throws IOException {
        TestPlugins.homeWithAscend(directory);
    }

    @Test
    void aJobIsReadWithItsEngineAndSettings() {
        Invocation invocation =
                job("--rank-table", "t.json", "--engine=ascend", "--grace", "1m", "--", "python", "x.py");

        assertThat(invocation.command()).isEqualTo(Command.LAUNCH);
        assertThat(invocation.engine().descriptor().id()).isEqualTo("ascend");
        assertThat(invocation.job()).containsExactly("python", "x.py");
        assertThat(invocation.settings().engineOptions())
                .containsExactly(Map.entry("rank-table", new OptionValue(directory + "/t.json", "--rank-table")));
        assertThat(invocation.settings().find(OptionTable.GRACE).orElseThrow().origin())
                .isEqualTo("--grace");
    }

    @Test
    void theEngineMayBeNamedByVariableOrFile() throws IOException {
        Files.writeString(directory.resolve("muster.json"), "{\"engine\": \"ascend\", \"rank-table\": \"/t\"}");
        assertThat(job("--config", "muster.json", "--", "x").settings().engineOptions())
                .containsExactly(Map.entry("rank-table", new OptionValue("/t", "muster.json, /rank-table")));

        variables.put("MUSTER_ENGINE", "ascend");
        variables.put("MUSTER_VERBOSE", "true");
        assertThat(job("--", "x").settings().engineOptions())
                .containsExactly(Map.entry("verbose", new OptionValue("true", "MUSTER_VERBOSE")));
    }

    @Test
    void aCommandThatRunsNothingIsRefused() {
        String message = "there is no command to run: put the training command after --, for example muster ";
        assertRefused(ExitCode.USAGE, message + "launch --engine ascend -- python3 train.py; see muster --help");
        assertRefused(ExitCode.USAGE, message + "launch ", "--engine", "ascend", "--");
        assertRefused(ExitCode.USAGE, message + "simulate ", "simulate", "--engine", "ascend");
    }

    @Test
    void aMissingEngineIsToldWithTheKnownOnes() {
        assertRefused(ExitCode.USAGE, "no engine is chosen: give --engine E; known: ascend (plugin.jar)", "--", "x");
    }

    @Test
    void anUnknownEngineIsUnavailable() {
        assertRefused(
                ExitCode.UNAVAILABLE,
                "engine \"asend\" (--engine) is not known (did you mean ascend?); known: ascend (plugin.jar)",
                "--engine",
                "asend",
                "--",
                "x");
    }

    @Test
    void anUnknownFlagIsToldTheNearest() {
        assertRefused(
                ExitCode.USAGE,
                "there is no option --graze (did you mean --grace?); muster launch --help lists them",
                "--engine",
                "ascend",
                "--graze",
                "3",
                "--",
                "x");
        assertRefused(
                ExitCode.USAGE,
                "there is no option --enigne (did you mean --engine?); muster plan --help lists them",
                "plan",
                "--enigne",
                "ascend",
                "--",
                "x");
        assertRefused(
                ExitCode.USAGE,
                "there is no option -o ranktable (did you mean --rank-table?);",
                "--engine",
                "ascend",
                "-o",
                "ranktable=x",
                "--",
                "x");
        assertRefused(ExitCode.USAGE, "there is no option --x; muster engines", "engines", "--x");
    }

    @Test
    void aWrongValueNamesTheOption() {
        assertRefused(
                ExitCode.USAGE,
                "--verbose: \"maybe\" is not true or false",
                "--engine",
                "ascend",
                "--verbose=maybe",
                "--",
                "x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "torchrun --nproc_per_node=4 t.py --lr 1 | muster --engine pytorch-gpu --cards 4 -- python3 t.py --lr 1",
                "/opt/bin/torchrun --standalone --nproc-per-node 4 -m a.b | --cards 4 -- python3 -m a.b",
                "torchrun --nnodes 2 --node_rank 1 --master_addr h --rdzv_conf x t.py | --master-addr h --node-index 1 --nodes 2 -- python3 t.py",
                "torchrun --no_python --nproc_per_node gpu ./t.py | --engine pytorch-gpu -- ./t.py",
                "python3.11 -u -W ignore -m torch.distributed.launch t.py | --engine pytorch-gpu -- python3.11 t.py",
                "python /opt/bin/torchrun t.py | --engine pytorch-gpu -- python t.py",
                "conda run -n E accelerate launch --multi_gpu --num_processes 8 t.py | --cards 8 -- conda run -n E python3 t.py",
                "env A=b deepspeed --num_gpus 2 t.py --deepspeed | --cards 2 -- env A=b python3 t.py --deepspeed",
                "mpirun -np 4 --mca btl self -x FOO python3 t.py | muster --engine mpi --slots 4 -- python3 t.py",
                "mpiexec -n 4 -hosts a:2,b:2 ./t | muster --engine mpi -- ./t; for its hosts and cards see docs/coming-from.md",
                "horovodrun -np 2 python t.py | muster --engine mpi -o launcher=horovodrun --slots 2 -- python t.py",
                "torchrun --nproc-per-node 8 --log_dir a/logs --tee 3 t.py | --cards 8 --log-dir a/logs -- python3 t.py",
                "srun -N2 --gres=gpu:2 python3 t.py | srun --ntasks-per-node=1 muster --engine ascend -- python3 t.py",
                "msrun --worker_num 8 --master_port 8118 t.py | muster --engine ascend --cards 8 -- python3 t.py",
                "nice -n 5 timeout 1h torchrun t.py | -- nice -n 5 timeout 1h python3 t.py",
            })
    void aLauncherAsTheCommandIsToldWithTheLineThatIsMeant(String command, String line) {
        assertThat(warnings(command.split(" "))).hasSize(1).first().asString().contains("the command starts ", line);
    }

    @Test
    void soIsOneInTheTextOfAShell() {
        assertThat(warnings("bash", "-lc", "cd /x && A=1 exec torchrun --nproc_per_node 2 t.py --name 'a b'"))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("Write muster --engine pytorch-gpu --cards 2 -- python3 t.py --name 'a b'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash train.sh", "bash -x ./train.sh 8", "./train.sh", "env A=b timeout 1h sh train.sh"})
    void soIsOneInTheScriptOfAShell(String command) throws IOException {
        Files.writeString(directory.resolve("train.sh"), """
                #!/bin/bash
                # mpirun is not used
                set -e
                if true; then
                  PYTHONPATH=/code/src torchrun --nproc_per_node 2 \\
                    --master_port $PORT t.py "$@" # all
                fi
                """);

        assertThat(warnings(command.split(" ")))
                .containsExactly("train.sh starts torchrun, which starts the ranks itself, but Muster starts the script"
                        + " once for each rank. In train.sh write muster --engine pytorch-gpu --cards 2 -- python3 t.py"
                        + " \"$@\" instead, and run train.sh without muster");
        assertThat(warnings("python3", "t.py", "train.sh")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 t.py torchrun",
                "python3 -m t torchrun",
                "echo torchrun",
                "accelerate config",
                "conda run -n E python3 t.py --launcher mpirun",
                "bash torchrun.sh"
            })
    void otherCommandsAreNot(String command) {
        assertThat(warnings(command.split(" "))).isEmpty();
    }

    private List<String> warnings(String... command) {
        String[] line = Stream.concat(Stream.of("--engine", "ascend", "--"), Stream.of(command))
                .toArray(String[]::new);
        return job(line).settings().warnings();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpIsGivenWhateverElseIsWrong(String flag) {
        assertThat(text(flag)).startsWith("Muster boots").contains("Exit codes:");
        assertThat(text("--grazee", "word", flag)).startsWith("Muster boots");
        assertThat(text("plan", flag))
                .startsWith("muster plan [OPTIONS] -- COMMAND")
                .doesNotContain("--rank-table");
        assertThat(text("simulate", "--engine", "ascend", flag)).contains("--rank-table PATH");
        assertThat(text("--engine=ascend", flag)).startsWith("muster launch").contains("--rank-table PATH");
    }

    @Test
    void helpIsAlsoACommand() {
        assertThat(text("help")).startsWith("Muster boots");
        assertThat(text("help", "simulate")).startsWith("muster simulate");
        assertThat(text("help", "engines")).startsWith("muster engines [OPTIONS]\n");
        assertRefused(ExitCode.USAGE, "\"pln\" is not a command of Muster (did you mean plan?);", "help", "pln");
    }

    @Test
    void completionHearsTheOptionsOfItsHelp() {
        assertThat(text("completion", "bash", "--color", "never")).isEqualTo(text("completion", "bash"));
        assertRefused(ExitCode.USAGE, "muster completion needs the name of a shell", "completion", "csh");
    }

    @Test
    void whatFollowsTheSeparatorAsksForNothing() {
        assertThat(job("--engine", "ascend", "--", "python", "--help", "--version", "-h"))
                .isNotNull();
    }

    @Test
    void versionsAreTold() {
        assertThat(text("--version"))
                .startsWith("muster ")
                .contains(", SPI 0.2, Java " + Runtime.version())
                .endsWith("\n");
    }

    @Test
    void enginesAreListedAndBrokenOnesBelow() throws IOException {
        Files.createDirectories(directory.resolve("plugins/zz"));

        assertThat(text("engines").lines())
                .containsExactly(
                        "ENGINE  VERSION  JAR         SUMMARY",
                        "ascend  1.2.3    plugin.jar  one process per card",
                        "",
                        "Cannot be used:",
                        "  plugins/zz: there is no jar in this directory");
    }

    private void assertRefused(ExitCode code, String message, String... arguments) {
        assertThatThrownBy(() -> read(arguments))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith(message)
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(code);
    }

    private String text(String... arguments) {
        return ((Request.Information) read(arguments)).text();
    }

    private Invocation job(String... arguments) {
        return (Invocation) read(arguments);
    }

    private Request read(String... arguments) {
        PluginJars jars = new PluginJars(Optional.of(directory));
        return new RequestReader(
                        processInfo(arguments),
                        new EngineCatalog(jars, PluginListener.NOBODY),
                        new PlatformCatalog(jars, PluginListener.NOBODY))
                .read();
    }

    private ProcessInfo processInfo(String... arguments) {
        return TestProcesses.of(directory, variables, arguments);
    }
}
