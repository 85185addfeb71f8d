package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Process-level recovery: reading the list of faults. */
class ResetFileTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"RankList\":[{\"RankId\":1,\"Status\":\"unrecovered\"},{\"RankId\":0,\"Status\":\"recovered\"}]}",
                "{'RankList': [{'RankId': 1, 'Status': 'unrecovered'}, {'RankId': 0, 'Status': 'recovered'}]}",
                "{'RankList': [{'RankId': '1', 'Status': \"it's\", 'GracefulExit': False, 'Policy': None}]}\n",
                "{\"RankList\":[{\"RankId\":\"1\",\"Status\":\"recover failed\",\"ErrorCode\":null}],\"RetryTime\":0,"
                        + "\"GracefulExit\":0,\"FaultFlushing\":false}",
                "{\"RankList\":[{\"RankId\":1,\"Status\":\"recovered\"},{\"RankId\":1}]}"
            })
    @DisplayName("the list is read as JSON and as Python literals")
    void readsWhoIsNotRecovered(String content) throws IOException {
        ResetFile.Seen seen = look(content);

        assertThat(seen.faulty()).containsExactly(1);
        assertThat(seen).returns(true, ResetFile.Seen::isThere).returns(true, ResetFile.Seen::isComplete);
        assertThat(seen.problem()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"RankList\":[]}",
                "{\"RankList\":null}",
                "{'RankList': None}",
                "{'RankList': [{'RankId': 3, 'Status': 'recovered'}]}"
            })
    @DisplayName("a list of recovered ranks and an empty list mean no fault")
    void readsThatAllIsWell(String content) throws IOException {
        assertThat(look(content).faulty()).isEmpty();
        assertThat(look(content).isThere()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"RankList\":[{\"RankId\":1,\"Sta",
                "{'RankList': [{'RankId': 1, 'Status': 'unrec",
                "{}",
                "[1]",
                "{\"RankList\":{}}",
                "{\"RankList\":[{\"RankId\":-1,\"Status\":\"unrecovered\"}]}",
                "{\"RankList\":[{\"RankId\":99999999999,\"Status\":\"unrecovered\"}]}",
                "{\"RankList\":[7]}",
                "{'status': 'initializing'}",
                "\0\0\0"
            })
    @DisplayName("half-written and wrong lists are ignored")
    void takesNothingFromWhatIsNoList(String content) throws IOException {
        ResetFile.Seen seen = look(content);

        assertThat(seen.isThere()).isFalse();
        assertThat(seen.faulty()).isEmpty();
        assertThat(seen.problem()).isEqualTo("is no list of faults, or is being written");
    }

    @Test
    @DisplayName("a list is not complete while its writer collects faults")
    void waitsForTheWriter() throws IOException {
        assertThat(look("{\"RankList\":[{\"RankId\":1,\"Status\":\"unrecovered\"}],\"FaultFlushing\":true}")
                        .isComplete())
                .isFalse();
    }

    @Test
    @DisplayName("a list that is not complete does not delay the first attempt and does not end a fault")
    void believesNoListThatIsBeingCollected() throws IOException {
        String listed = "{\"RankList\":[{\"RankId\":1,\"Status\":\"unrecovered\"}],\"FaultFlushing\":%s}";
        ResetSource first = new ResetSource(file(), Set.of(0, 1), false);
        look(listed.formatted(true));
        assertThat(first.read()).isInstanceOf(ReadAttempt.Ready.class);
        look(listed.formatted(false));
        assertThat(reason(first)).isEqualTo("lists rank 1 as not recovered");

        look("{\"RankList\":[],\"FaultFlushing\":true}");
        assertThat(reason(new ResetSource(file(), Set.of(0, 1), true))).isEqualTo("is not settled (FaultFlushing)");
    }

    @Test
    @DisplayName("a missing file, a directory, a dangling link and a file that others can write are ignored")
    void takesNothingFromWhatIsNoFile() throws IOException {
        assertThat(file().read()).isEqualTo(ResetFile.Seen.NOTHING);

        Path path = file().path();
        Files.createSymbolicLink(path, Path.of("nowhere"));
        assertThat(file().read()).isEqualTo(ResetFile.Seen.NOTHING);
        Files.delete(path);
        Files.createDirectory(path);
        assertThat(file().read().problem()).isEqualTo("is a directory, expected a regular file");
        Files.delete(path);

        look("{\"RankList\":[{\"RankId\":1,\"Status\":\"unrecovered\"}]}");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(file().read().isThere()).isFalse();
        assertThat(file().read().problem()).contains("is writable by others");
    }

    @Test
    @DisplayName("the list is ready when all faulty ranks of this node have recovered, not when it vanishes")
    void isReadyWhenAllHaveRecovered() throws IOException {
        ResetSource source = new ResetSource(file(), Set.of(0, 1), true);
        assertThat(reason(source)).isEqualTo("does not exist");
        configMap(
                "a", "{'RankList': [{'RankId': 1, 'Status': 'unrecovered'}, {'RankId': 5, 'Status': 'unrecovered'}]}");
        Files.createSymbolicLink(file().path(), Path.of("..data/reset.json"));
        assertThat(reason(source)).isEqualTo("lists rank 1 as not recovered");
        configMap("b", "{'RankList': [{'RankId': 1, 'Sta");
        assertThat(reason(source)).isEqualTo("is no list of faults, or is being written");
        configMap("c", "{'RankList': [{'RankId': 1, 'Status': 'recovered'}, {'RankId': 5, 'Status': 'unrecovered'}]}");
        assertThat(source.read()).isEqualTo(ReadAttempt.Ready.WITHOUT);
        configMap("d", "{\"RankList\": []}");
        assertThat(source.read()).isInstanceOf(ReadAttempt.Ready.class);
        assertThat(new ResetSource(new ResetFile(directory.resolve("no"), "x"), Set.of(0), false).read())
                .isInstanceOf(ReadAttempt.Ready.class);
    }

    private static String reason(ResetSource source) {
        return ((ReadAttempt.NotYet) source.read()).reason();
    }

    private ResetFile file() {
        return new ResetFile(directory.resolve("reset.json"), "--reset-file");
    }

    private ResetFile.Seen look(String content) throws IOException {
        Files.writeString(file().path(), content);
        return file().read();
    }

    private void configMap(String name, String text) throws IOException {
        Path data = Files.createDirectory(directory.resolve(".." + name));
        Files.writeString(data.resolve("reset.json"), text);
        Path link = Files.createSymbolicLink(directory.resolve("..tmp"), data.getFileName());
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }
}
