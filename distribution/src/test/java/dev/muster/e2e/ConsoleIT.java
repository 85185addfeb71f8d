package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the console shows of many ranks, while each log is complete. */
@ExtendWith(Scenes.class)
class ConsoleIT {

    @Test
    @DisplayName(
            "--console-ranks shows some ranks; all logs are complete, and a failure comes with the rank's last lines")
    void someRanksAreShown(Scene scene) {
        String rank = scene.script("rank", "echo \"line of $RANK\"", "[ $RANK != 1 ] || { echo broken >&2; exit 3; }");
        Result result = job(scene, "--console-ranks", "0,2-3")
                .with("--", rank)
                .run()
                .endedWith(3)
                .says("| broken");
        assertThat(result.outputLines())
                .allMatch(line -> line.matches("\\[rank [023]] line of [023]"))
                .isNotEmpty();
        assertThat(log(scene, 1)).hasContent("line of 1\nbroken\n");
    }

    @Test
    @DisplayName("output that a hidden rank's log does not take is shown; unknown ranks of --console-ranks are named")
    void nothingIsLost(Scene scene) throws IOException {
        Files.createDirectories(log(scene, 1));
        Result result = job(scene, "--console-ranks", "0,9")
                .with("--", scene.script("rank", "echo \"line of $RANK\""))
                .run()
                .endedWith(0)
                .says("--console-ranks: \"0,9\" names ranks that the job does not have: it has 4");
        assertThat(result.outputLines()).containsExactlyInAnyOrder("[rank 0] line of 0", "[rank 1] line of 1");
        job(scene, "--console-ranks", "1-")
                .with("--", "true")
                .answer()
                .endedWith(64)
                .says("--console-ranks: \"1-\" is not a list of ranks such as 0,8-15");
    }

    @Test
    @DisplayName("--fold shows an equal line of several ranks once, in each rank's order; a prompt is shown at once")
    void equalLinesAreFolded(Scene scene) {
        String rank = scene.script(
                "rank",
                "echo all; echo \"only $RANK\"; echo again",
                ": > $scene/said-$RANK; until [ -e $scene/said-0 ] && [ -e $scene/said-1 ] && [ -e $scene/said-2 ]",
                "do sleep 0.02; done",
                "printf 'no end'");
        Result result = scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--cards", "3", "--job-id", scene.jobId(), "--fold", "--", rank)
                .run()
                .endedWith(0)
                .doesNotSay("no effect");
        List<String> lines = result.outputLines();
        for (int each = 0; each < 3; each++) {
            assertThat(log(scene, each)).hasContent("all\nonly " + each + "\nagain\nno end");
            String number = String.valueOf(each);
            List<String> ofRank = lines.stream()
                    .filter(line -> ranks(line).contains(number))
                    .map(line -> line.replaceFirst("^\\[.*?] ", ""))
                    .toList();
            assertThat(ofRank).containsExactly("all", "only " + each, "again", "no end");
        }
        assertThat(lines).hasSizeLessThan(12).anyMatch(line -> line.startsWith("[ranks "));
    }

    /** On a busy machine the console may show a line of some ranks before the other ranks have printed it. */
    private static List<String> ranks(String line) {
        Matcher prefix = Pattern.compile("\\[ranks? ([0-9,-]+)] .*").matcher(line);
        assertThat(prefix.matches()).as(line).isTrue();
        return Stream.of(prefix.group(1).split(","))
                .flatMap(part -> part.equals("0-1")
                        ? Stream.of("0", "1")
                        : part.equals("0-2")
                                ? Stream.of("0", "1", "2")
                                : part.equals("1-2") ? Stream.of("1", "2") : Stream.of(part))
                .toList();
    }

    @Test
    @DisplayName("--timestamps begins each line with its time, and writes times beside the log, which stays as printed")
    void timesAreTold(Scene scene) throws IOException {
        String rank = scene.script("rank", "echo first", "sleep 0.3", "printf 'second\\nthird'");
        Result result = job(scene, "--timestamps", "--console-ranks", "0")
                .with("--", rank)
                .run()
                .endedWith(0);
        String time = "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z";
        assertThat(result.outputLines()).hasSize(3).allMatch(line -> line.matches(time + " \\[rank 0] [a-z]+"));
        assertThat(log(scene, 1)).hasContent("first\nsecond\nthird");
        Path times = log(scene, 1).resolveSibling(log(scene, 1).getFileName() + ".times");
        assertThat(times).content().matches("0 " + time + "\n6 " + time + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(times)))
                .isEqualTo("rw-r-----");
    }

    private static Path log(Scene scene, int rank) {
        return scene.directory()
                .resolve("muster-logs/" + scene.jobId() + "-proc-rank-" + rank + "-device-" + rank + ".txt");
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "4", "--job-id", scene.jobId())
                .with(options));
    }
}
