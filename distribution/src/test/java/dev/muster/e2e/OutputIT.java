package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The output of ranks: every byte is in their logs, and the console shows whole lines. */
@OnEveryEngine(services = false)
class OutputIT {

    @OnOneJdk
    void logsHoldEveryByte(Scene scene) throws IOException {
        byte[] bytes = new byte[256 * 300 + 7];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) (index % 257);
        }
        Files.write(scene.beside("bytes"), bytes);
        String rank = scene.script("rank", "cat $scene/bytes", "finish");
        int processes = scene.engine().withOwnLogs(2);
        scene.job(processes).with(rank).run().endedWith(0);
        for (int index = 0; index < processes; index++) {
            assertThat(scene.log(index)).hasBinaryContent(bytes);
        }
    }

    @Tag("repeated")
    @OnceForAll
    void everyByteOfTwentyMegabytesArrives(Scene scene) throws IOException {
        scene.command("/bin/sh", "-c", "seq 3000000 > ../numbers").run().endedWith(0);
        Path numbers = scene.beside("numbers");
        Result result =
                scene.job(1, "--prefix", "none").with("seq", "3000000").run().endedWith(0);
        assertThat(Files.size(numbers)).isGreaterThan(20 << 20);
        assertThat(Files.mismatch(scene.log(0), numbers)).isEqualTo(-1);
        assertThat(Arrays.equals(result.standardOutput(), Files.readAllBytes(numbers)))
                .isTrue();
    }

    @OnOneJdk
    void nothingElseGetsIntoAPipeThatReadsEverything(Scene scene) {
        int processes = scene.engine().atMost(4);
        String rank = scene.script("rank", "echo hello", "finish");
        Result result = scene.job(processes, "--prefix", "none")
                .with(rank)
                .behind("/bin/sh", "-c", "{ \"$@\" 2>&1; echo $? > code; } | cat", "sh")
                .run();
        assertThat(Scene.read(scene.directory().resolve("code"))).isEqualTo("0\n");
        List<String> lines = result.outputLines();
        assertThat(lines).allMatch(line -> line.equals("hello") || line.startsWith("muster: "));
        assertThat(lines).filteredOn("hello"::equals).hasSize(processes);
    }

    @Test
    void withoutPrefixTheConsoleShowsTheOutputUnchanged(Scene scene) {
        String rank =
                scene.script("rank", "printf 'one\\n\\n  two\\303\\251\\n'", "printf 'err\\n' >&2", "printf 'end\\n'");
        Result result = scene.job(1, "--prefix", "none").with(rank).run().endedWith(0);
        if (scene.engine().startsProcessesItself()) {
            assertThat(result.output()).isEqualTo("one\n\n  twoé\nerr\nend\n");
        } else {
            assertThat(result.output().replaceFirst("err\n", "")).isEqualTo("one\n\n  twoé\nend\n");
            assertThat(result.output()).contains("err\n");
        }
        assertThat(scene.log(0)).hasContent(result.output());
    }

    @OnOneJdk
    void everyLineBeginsWithTheRankThatPrintedIt(Scene scene) {
        int processes = scene.engine().withOwnLogs(4);
        String rank = scene.script(
                "rank", "for n in 1 2 3 4 5 6 7 8 9; do printf 'part one, '; echo \"line $n of $me\"; done", "finish");
        Result result = scene.job(processes).with(rank).run().endedWith(0);
        assertThat(result.outputLines()).hasSize(9 * processes);
        for (int index = 0; index < processes; index++) {
            String lines = expectedLines(index);
            String prefix = "[" + scene.engine().process(index) + "] ";
            assertThat(result.outputLines())
                    .filteredOn(line -> line.startsWith(prefix))
                    .containsExactlyElementsOf(lines.lines().map(prefix::concat).toList());
            assertThat(scene.log(index)).hasContent(lines);
        }
    }

    private static String expectedLines(int rank) {
        StringBuilder text = new StringBuilder();
        for (int line = 1; line < 10; line++) {
            text.append("part one, line ")
                    .append(line)
                    .append(" of ")
                    .append(rank)
                    .append('\n');
        }
        return text.toString();
    }

    @Tag("repeated")
    @OnceForAll
    void aSecondRunAppendsBehindOneLineThatSeparatesThem(Scene scene) {
        scene.job(1).with("echo", "first").run().endedWith(0);
        scene.job(1).with("printf", "second").run().endedWith(0);
        scene.job(1).with("echo", "third").run().endedWith(0);
        List<String> lines = Scene.read(scene.log(0)).lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).isEqualTo("first");
        assertThat(lines.get(1)).contains("e2e").containsPattern("20[0-9][0-9]-");
        assertThat(lines.get(2)).isEqualTo("second");
        assertThat(lines.get(3)).contains("e2e");
        assertThat(lines.get(4)).isEqualTo("third");
    }

    @Tag("repeated")
    @Test
    void aClosedStandardOutputChangesNeitherLogsNorExitCode(Scene scene) {
        int processes = scene.engine().withOwnLogs(2);
        int last = processes - 1;
        String rank = scene.script("rank", "seq 100000", "[ $me = " + last + " ] && exit 3", "exec sleep 600");
        String sequence = sequence();
        List<String> endings = List.of("\"$@\" >&-", "\"$@\" >&- 2>&-", "{ \"$@\"; echo $? > code; } | head -1");
        for (String ending : scene.engine().cases(endings)) {
            scene.command("rm", "-rf", "muster-logs", "code").run();
            Result result = scene.job(processes, "--grace", "10s")
                    .with(rank)
                    .behind("/bin/sh", "-c", ending, "sh")
                    .run();
            boolean piped = Files.exists(scene.directory().resolve("code"));
            String code =
                    piped ? Scene.read(scene.directory().resolve("code")).strip() : Integer.toString(result.exitCode());
            assertThat(code).as(ending + ": " + result).isEqualTo("3");
            assertThat(scene.engine().printed(Scene.read(scene.log(last)))).isEqualTo(sequence);
        }
    }

    private static String sequence() {
        StringBuilder text = new StringBuilder();
        for (int number = 1; number <= 100_000; number++) {
            text.append(number).append('\n');
        }
        return text.toString();
    }

    @Tag("repeated")
    @OnceForAll
    void aConsoleThatNobodyReadsBlocksNoRank(Scene scene) throws IOException {
        String rank = scene.script("rank", "head -c 20000000 /dev/zero");
        String stalled =
                "mkfifo stalled; sleep 600 < stalled & reader=$!; \"$@\" > stalled; code=$?; kill $reader; exit $code";
        Result result =
                scene.job(1).with(rank).behind("/bin/sh", "-c", stalled, "sh").run();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(0);
        assertThat(Files.size(scene.log(0))).isEqualTo(20_000_000);
    }

    @DisplayName("standard output loses nothing if it is a non-blocking pipe")
    @OnceForAll
    void aNonBlockingConsoleLosesNothing(Scene scene) {
        Components.require("python3");
        // The output does not fit into a pipe. The test reads it after the rank has printed all.
        String rank = scene.script("rank", "seq 100000", ": > $scene/printed");
        String relay = "import os, sys; os.set_blocking(1, False); os.execvp(sys.argv[1], sys.argv[1:])";
        String reader = "{ python3 -c '" + relay + "' \"$@\"; echo $? > code; } | " + "{ until [ -e "
                + scene.beside("printed") + " ]; do sleep 0.02; done; cat; }";
        Result result = scene.job(1, "--prefix", "none")
                .with(rank)
                .behind("/bin/sh", "-c", reader, "sh")
                .run();
        assertThat(Scene.read(scene.directory().resolve("code")).strip())
                .as(result.toString())
                .isEqualTo("0");
        assertThat(scene.engine().printed(result.output())).isEqualTo(sequence());
    }

    @Tag("repeated")
    @OnceForAll
    void aLogDirectoryThatCannotBeWrittenIsAWarning(Scene scene) {
        Scene.write(scene.beside("file"), "");
        Result result = scene.job(2, "--log-dir", scene.beside("file/logs").toString(), "--prefix", "none")
                .with("/bin/sh", "-c", "echo hello; exit 4")
                .run()
                .endedWith(4)
                .says("warning", scene.beside("file/logs").toString());
        assertThat(result.outputLines()).contains("hello");
    }

    /** {@link TrustIT} has other files in the place of a log. */
    @Tag("repeated")
    @Test
    void aLogThatIsALinkIsNotWritten(Scene scene) throws IOException {
        int processes = scene.engine().withOwnLogs(2);
        int last = processes - 1;
        String victim = scene.beside("victim").toString();
        String log = scene.log(last).toString();
        for (String make : scene.engine().cases(List.of("ln -s $0 $1", "mkfifo $1"))) {
            scene.command("rm", "-rf", "muster-logs").run();
            Files.createDirectories(scene.logs());
            Scene.write(scene.beside("victim"), "untouched");
            scene.command("/bin/sh", "-c", make, victim, log).run().endedWith(0);
            String rank = scene.script("rank", "echo hello", "finish");
            Result result =
                    scene.job(processes, "--prefix", "none").with(rank).run().endedWith(0);
            result.says("warning", log);
            assertThat(scene.beside("victim")).hasContent("untouched");
            assertThat(Scene.read(scene.resultFile())).doesNotContain("\"log\": \"" + log);
            assertThat(result.output()).as(make).isEqualTo("hello\n".repeat(processes));
            for (int index = 0; index < last; index++) {
                result.doesNotSay(scene.log(index).toString());
                assertThat(scene.log(index)).hasContent("hello");
            }
        }
    }

    @Tag("repeated")
    @OnOneJdk
    void theLastLinesAreNeverLost(Scene scene) {
        int processes = scene.engine().withOwnLogs(8);
        // A service may end at once. A task that waits for it must print its last lines after that.
        String rank = scene.script("rank", "seq 200", "finish", "echo last of $me >&2", "printf end");
        for (int run = 0; run < scene.engine().repetitions(1); run++) {
            scene.command("rm", "-rf", "muster-logs").run();
            Result result =
                    scene.job(processes, "--prefix", "none").with(rank).run().endedWith(0);
            List<String> lines = result.outputLines();
            if (scene.engine().startsProcessesItself()) {
                for (int index = 0; index < processes; index++) {
                    String log = Scene.read(scene.log(index));
                    assertThat(log).endsWith("200\nlast of " + index + "\nend").hasLineCount(202);
                    assertThat(lines).contains("last of " + index);
                }
                assertThat(lines).hasSize(processes * 202);
            } else {
                String log = Scene.read(scene.log(0));
                assertThat(log).contains("last of 0\n");
                assertThat(log.replace("last of 0\n", "")).endsWith("200\nend").hasLineCount(201);
                assertThat(result.output().strip()).isEqualTo(log.strip());
            }
        }
    }
}
