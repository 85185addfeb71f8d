package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks inherit everything from the caller, and nothing that only the launcher needs. */
@OnEveryEngine(services = false)
class EnvironmentIT {

    /** Starts a program with exactly the variables of a file. Neither Java nor a shell can set all of them. */
    private static final String WITH_ENVIRONMENT = """
            import os, sys
            with open(sys.argv[1], "rb") as file:
                variables = dict(text.split(b"=", 1) for text in file.read().split(b"\\0") if text)
            os.execve(sys.argv[2], sys.argv[2:], variables)
            """;

    /** Writes the CPU time of a command to a file. Its wall time would depend on what else runs. */
    private static final String MEASURED = """
            import resource, subprocess, sys
            code = subprocess.call(sys.argv[2:])
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(sys.argv[1], "w") as file:
                file.write(str(used.ru_utime + used.ru_stime))
            sys.exit(code)
            """;

    /** Variables that change how bash works. */
    private static final Map<String, String> OF_SHELLS = Map.of(
            "FUNCNEST", "1",
            "TMOUT", "1",
            "POSIXLY_CORRECT", "1",
            "BASH_COMPAT", "3.2",
            "BASH_ARGV0", "/no/such/script",
            "BASH_SOURCE", "/no/such/script",
            "EXECIGNORE", "*",
            "IFS", "e",
            "LC_ALL", "C.UTF-8");

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("every variable arrives byte for byte, whatever its name, and so do arguments in a plain locale")
    void everyVariableArrivesByteForByteWhateverItsName(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        Invocation packaged = scene.job(1).with(probe.program(), "größe", "日本");
        Map<String, String> variables = new TreeMap<>(packaged.environment());
        variables.putAll(Map.of(
                "a.b", "dot",
                "1ABC", "digit",
                "BASH_FUNC_greet%%", "() {  echo   hi\n}",
                "with space", " x ",
                "LINES", "one\ntwo\n",
                "EQUALS", "a=b=c",
                "EMPTY", "",
                "LATIN", "caf\u00e9\u00ff",
                "UTF", new String("größe".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)));
        // Start scripts and Java use these variables.
        variables.putAll(Map.of(
                "LC_ALL", "C",
                "LANG", "C",
                "PWD", "/elsewhere",
                "OLDPWD", "/before",
                "SHLVL", "7",
                "_", "/underscore",
                "CLASSPATH", "/no/such.jar",
                "JAVA_TOOL_OPTIONS", "-Dunwanted=1",
                "JDK_JAVA_OPTIONS", "-Dunwanted=2",
                "_JAVA_OPTIONS", "-Dunwanted=3"));
        variables.put("N\u00c4ME\u00ff", "no text");
        variables.put("ENV", "/no/such/profile");
        variables.put("BASH_ENV", "/no/such/profile");
        check(scene, packaged, variables, probe);
        assertThat(probe.rank(0).arguments()).containsExactly("größe", "日本");
        // With these variables the JVM prints a line of its own, which the plain jar cannot prevent.
        variables.keySet().removeIf(name -> name.contains("JAVA_") && name.endsWith("OPTIONS"));
        if (scene.engine().isFirst()) {
            check(scene, scene.jarJob(1).with(probe.program()), variables, probe);
        }
        // More than bash hands on in good time, so that the JVM would not have it at all.
        for (int number = 0; number < 1000; number++) {
            variables.put("VARIABLE_" + number, "x".repeat(80));
        }
        check(scene, packaged, variables, probe);
        assertThat(probe.rank(0).arguments()).containsExactly("größe", "日本");
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("variables that the start script could take for its own, or that change its shell, reach the rank")
    void variablesOfTheCallerAreNotThoseOfTheStartScript(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        Map<String, String> variables =
                new TreeMap<>(scene.job(1).with(probe.program()).environment());
        variables.putAll(OF_SHELLS);
        // The scripts around mpirun and its ranks use these variables.
        variables.putAll(Map.of(
                "muster_place", "one\ntwo\n",
                "muster_rank", "a=b \"q\" $x \\n 'c' ",
                "muster_code", "",
                "muster_child", "1",
                "muster_last", "_=x",
                "muster_own", "mine"));
        // An empty value keeps Python's buffer on.
        variables.put("PYTHONUNBUFFERED", "");
        variables.putAll(Map.of(
                "MUSTER_SAVED_PWD", "mine",
                "MUSTER_SAVED_NOTHING", "",
                "MUSTER_CWD", "/etc",
                "MUSTER_PID", "1",
                "muster_self", "/bin/false",
                "muster_clean", "-c",
                "muster_jvm", "x",
                "muster_stop", "TERM",
                "muster_command", "/bin/false"));
        // A shell replaces these variables with its own: user ids and version.
        Path ran = scene.beside("ran");
        variables.putAll(Map.of("EUID", "x[$(: > " + ran + ")]", "UID", "mine", "BASH_VERSION", "mine"));
        for (String before : scene.engine().cases(List.of("", "trap '' INT"))) {
            check(scene, scene.job(1).with(probe.program()), variables, probe, before);
        }
        assertThat(ran).doesNotExist();
    }

    @OnceForAll
    @DisplayName("20,000 variables reach the rank in a short time")
    void manyVariablesTakeNoLongTime(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        Map<String, String> variables =
                new TreeMap<>(scene.job(1).with(probe.program()).environment());
        variables.putAll(OF_SHELLS);
        variables.put("a.b", "dot");
        for (int number = 0; number < 20_000; number++) {
            variables.put("VARIABLE_" + number, "value " + number);
        }
        Path time = scene.beside("time");
        Invocation job =
                scene.job(1).with(probe.program()).behind("/usr/bin/env", "python3", "-c", MEASURED, time.toString());
        check(scene, job, variables, probe);
        // Muster needs half a second; with bash it needed ten.
        assertThat(Double.parseDouble(Scene.read(time))).isLessThan(8);
    }

    @OnOneJdk
    void nothingIsAddedToABareEnvironment(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        Invocation job = scene.job(1).with(probe.program());
        Map<String, String> variables = new TreeMap<>(job.environment());
        variables.keySet().retainAll(Set.of("PATH", "JAVA_HOME", Processes.TAG));
        check(scene, job, variables, probe);
    }

    /** @param variables every character is a byte */
    private static Result check(Scene scene, Invocation job, Map<String, String> variables, Probe probe)
            throws IOException {
        return check(scene, job, variables, probe, "");
    }

    /** @param before shell commands; signals that they ignore stay ignored */
    private static Result check(Scene scene, Invocation job, Map<String, String> variables, Probe probe, String before)
            throws IOException {
        Components.require("python3");
        Path file = scene.beside("variables");
        StringBuilder text = new StringBuilder();
        variables.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\0'));
        Files.write(file, text.toString().getBytes(StandardCharsets.ISO_8859_1));
        Result result = job.behind("python3", "-c", WITH_ENVIRONMENT, file.toString())
                .after(before)
                .run()
                .endedWith(0);

        Map<String, String> actual = probe.rank(0).environment();
        assertThat(actual.remove("MUSTER_JOB")).isNotEmpty();
        EngineUnderTest engine = scene.engine();
        assertThat(actual.keySet()).containsAll(engine.variables());
        actual.keySet().removeIf(name -> !engine.passesOn(name));
        Map<String, String> expected = new TreeMap<>(variables);
        expected.putIfAbsent("PYTHONUNBUFFERED", "1");
        expected.keySet().removeIf(name -> !engine.passesOn(name));
        assertThat(actual).isEqualTo(expected);
        return result;
    }

    @OnOneJdk
    void standardInputIsTheCallers(Scene scene) {
        Scene.write(scene.beside("input"), "from the caller\n");
        Result result = scene.job(1, "--prefix", "none")
                .with("cat")
                .reading(scene.beside("input"))
                .run()
                .endedWith(0);
        assertThat(result.output()).isEqualTo("from the caller\n");
    }

    @Test
    void aTerminalBecomesDevNull(Scene scene) {
        Invocation job = scene.job(1, "--prefix", "none").with("readlink", "/proc/self/fd/0");
        Result result = Terminal.around(scene, job, "").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        if (scene.engine().startsProcessesItself()) {
            assertThat(scene.log(0)).hasContent("/dev/null");
        } else {
            // mpirun reads the terminal, and passes the input to a rank through a pipe.
            assertThat(Scene.read(scene.log(0))).doesNotContain("/dev/pts", "/dev/tty");
        }
    }

    @Tag("repeated")
    @OnOneJdk
    void umaskLimitsAndSignalsAreTheCallers(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        EngineUnderTest engine = scene.engine();
        List<String> traps = List.of("", "trap '' HUP INT USR1 PIPE", "trap '' QUIT TERM USR2");
        for (String trap : engine.cases(traps)) {
            String commands = "{ echo 0x11 > /proc/self/coredump_filter; } 2>/dev/null || :; " + trap;
            if (engine.startsProcessesItself()) {
                scene.command(probe.program())
                        .set("me", "7")
                        .after(commands)
                        .run()
                        .endedWith(0);
            }
            scene.job(1)
                    .with(probe.program())
                    .after("umask 002; ulimit -S -n 777; ulimit -H -n 888; " + commands)
                    .run()
                    .endedWith(0);
            assertThat(probe.rank(0).note("umask")).isEqualTo("0002");
            assertThat(probe.rank(0).note("files")).isEqualTo("777\n888");
            if (scene.engine().startsProcessesItself()) {
                assertThat(signals(probe, 0)).as(commands).isEqualTo(signals(probe, 7));
            }
        }
        assertThat(permissions(scene.log(0))).isEqualTo("rw-r-----");
        assertThat(permissions(scene.logs())).isEqualTo("rwxr-x---");
    }

    /** The ignored signals, and the filter of core dumps, in the kernel's format. */
    private static String signals(Probe probe, int rank) {
        return probe.rank(rank).note("signals");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void theRanksOwnPathFindsTheCommandAndNeitherAHomeNorATemporaryDirectoryIsNeededForThat(Scene scene)
            throws IOException {
        Files.createDirectories(scene.beside("own"));
        scene.script("own/only-here", "echo found");
        String path = scene.beside("own") + ":" + Invocation.PATH;
        scene.job(1)
                .with("only-here")
                .set("PATH", path)
                .set("HOME", "/no/such/home")
                .set("TMPDIR", "/no/such/tmp")
                .run()
                .endedWith(0);
        assertThat(scene.log(0)).hasContent("found");
    }
}
