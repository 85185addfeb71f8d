package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads CANN's scripts with a real bash. */
@Timeout(60)
class CannEnvironmentTest {

    @TempDir
    private Path cann;

    private final Map<String, String> environment =
            new TreeMap<>(Map.of("PATH", "/usr/bin:/bin", "PWD", "/", "HOME", "/root"));

    private TestJob job() {
        TestJob job = new TestJob()
                .table(TemplateOneTest.TWO_SERVERS)
                .hostAddress("192.168.0.25")
                .option("framework", "mindspore");
        environment.put("ASCEND_TOOLKIT_HOME", cann + "/ascend-toolkit/latest");
        environment.forEach(job::variable);
        return job;
    }

    private void script(String path, String... lines) throws IOException {
        Path file = cann.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private TestJob read() throws IOException, InterruptedException {
        Input.CommandOutput input = job().inputs().stream()
                .filter(Input.CommandOutput.class::isInstance)
                .map(Input.CommandOutput.class::cast)
                .findFirst()
                .orElseThrow();
        ProcessBuilder builder =
                new ProcessBuilder(input.command()).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process bash = builder.start();
        bash.getOutputStream().close();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return job().input(input.id(), new InputValue.CommandOutput(bash.exitValue(), output));
    }

    private static String inRank(LaunchPlan plan, String name) {
        return TestJob.variable(plan, name);
    }

    @Test
    void theToolkitComesBeforeTheEngineAndTheAdapterIsAdded() throws Exception {
        Files.createDirectories(cann.resolve("ascend-toolkit/latest"));
        script(
                "ascend-toolkit/set_env.sh",
                "export ASCEND_HOME_PATH=" + cann + "/ascend-toolkit/latest",
                "export PATH=$ASCEND_HOME_PATH/bin:$PATH",
                "export LD_LIBRARY_PATH=$ASCEND_HOME_PATH/lib64:$LD_LIBRARY_PATH");
        script("nnae/set_env.sh", "export NNAE=wrong");
        script("tfplugin/set_env.sh", "export PYTHONPATH=/tfplugin:$PYTHONPATH");
        environment.put("PYTHONPATH", "/mine");

        LaunchPlan plan = read().plan();

        assertThat(inRank(plan, "ASCEND_HOME_PATH")).isEqualTo(cann + "/ascend-toolkit/latest");
        assertThat(inRank(plan, "PATH")).isEqualTo(cann + "/ascend-toolkit/latest/bin:/usr/bin:/bin");
        assertThat(inRank(plan, "LD_LIBRARY_PATH")).isEqualTo(cann + "/ascend-toolkit/latest/lib64:");
        assertThat(inRank(plan, "PYTHONPATH")).isEqualTo("/here:/tfplugin:/mine");
        assertThat(inRank(plan, "NNAE")).isEqualTo("(not set)");
        assertThat(plan.processes().get(0).launch().environment().set())
                .doesNotContainKeys("SHLVL", "PWD", "OLDPWD", "_", "HOME");
    }

    @Test
    void theEngineIsTakenWithoutAToolkit() throws Exception {
        script("ascend-toolkit/set_env.sh", "export WRONG=1");
        script("nnae/set_env.sh", "export NNAE=1");

        LaunchPlan plan = read().plan();

        assertThat(inRank(plan, "NNAE")).isEqualTo("1");
        assertThat(inRank(plan, "WRONG")).isEqualTo("(not set)");
    }

    @Test
    void valuesAreDataAndScriptsMayBeRude() throws Exception {
        environment.put("HOSTILE", "$(touch " + cann + "/executed) `touch " + cann + "/executed` ]}\"'\\");
        environment.put("BASH_ENV", cann.resolve("bash_env").toString());
        script("bash_env", "export FROM_BASH_ENV=1; echo noise");
        script(
                "nnae/set_env.sh",
                "echo noise; echo noise >&2; read -r line",
                "set -u; IFS=:; cd /tmp; shift 2>/dev/null",
                "[ $# = 0 ] && export NO_ARGUMENTS=1",
                "export LINES_OF='a",
                "b=c",
                "'",
                "export EMPTY=",
                "export COPY=\"$HOSTILE\"",
                "export 'WEIRD=x][@]$(touch " + cann + "/executed)'",
                "false");
        environment.put("KEPT", "as it is");

        LaunchPlan plan = read().plan();

        assertThat(inRank(plan, "LINES_OF")).isEqualTo("a\nb=c\n");
        assertThat(inRank(plan, "EMPTY")).isEmpty();
        assertThat(inRank(plan, "COPY")).isEqualTo(environment.get("HOSTILE"));
        assertThat(inRank(plan, "WEIRD")).startsWith("x][@]$(touch");
        assertThat(inRank(plan, "NO_ARGUMENTS")).isEqualTo("1");
        assertThat(plan.processes().get(0).launch().environment().set())
                .doesNotContainKeys("HOSTILE", "KEPT", "FROM_BASH_ENV", "b");
        assertThat(cann.resolve("executed")).doesNotExist();
    }

    @Test
    void aScriptThatEndsTheShellIsRefused() throws Exception {
        script("nnae/set_env.sh", "export A=1", "exit 0");
        read().assertRefused(Kind.CONFIGURATION, cann.toString(), "ended the shell");

        script("nnae/set_env.sh", "exit 5");
        read().assertRefused(Kind.CONFIGURATION, "ended the shell with exit code 5");
    }

    @Test
    void withoutCannNothingChangesAndTheCpusAreKnown() throws Exception {
        TestJob job = read();

        assertThat(TestJob.warnings(job.plan()))
                .singleElement()
                .asString()
                .startsWith("no CANN below " + cann + " (there is no set_env.sh");
        List<String> command = job
                .option("framework", "tensorflow")
                .input("taskset", new InputValue.Program("/usr/bin/taskset"))
                .plan()
                .processes()
                .get(0)
                .launch()
                .command()
                .stream()
                .map(TestJob::text)
                .toList();
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .replaceFirst("^[^\t]*\t", "");
        List<List<String>> expected = CpuBinding.of(job.request(), allowed, 2).words();
        assertThat(command)
                .startsWith(
                        expected.isEmpty()
                                ? new String[] {"python"}
                                : expected.get(0).toArray(String[]::new));
    }
}
