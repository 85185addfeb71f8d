package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other users of the machine: Muster does not trust their files, and does not write through their links. */
@ExtendWith(Scenes.class)
class TrustIT {

    private static final int STRANGER = 4711;
    private static final int USER = 1000;

    private static final String RANK = "echo a-word-of-the-rank";

    @BeforeEach
    void othersCanHaveFiles() {
        Components.requireRoot();
        Components.require("setpriv");
    }

    /** A command that runs as another user. */
    private static Invocation as(int uid, Invocation command) {
        String id = Integer.toString(uid);
        return uid == 0 ? command : command.behind("setpriv", "--reuid", id, "--regid", id, "--clear-groups");
    }

    private static void shell(Scene scene, int uid, String commands) {
        as(uid, scene.command("/bin/sh", "-ec", commands)).run().endedWith(0);
    }

    /** A job of one rank with its logs in a directory. */
    private static Invocation job(Scene scene, int uid, Path logs) {
        return as(uid, scene.job(1, "--log-dir", logs.toString()).with(scene.script("rank", RANK)));
    }

    /** A directory to which all users can write. */
    private static Path everybodys(Scene scene, String mode) {
        Path directory = scene.beside("log");
        shell(scene, 0, "mkdir -m " + mode + " " + directory);
        return directory;
    }

    private static String log(Scene scene) {
        return scene.jobId() + "-" + scene.engine().logName(0) + ".txt";
    }

    @ParameterizedTest(name = "a configuration file: {0}")
    @CsvSource({
        "chown 4711 c/file, belongs to uid 4711",
        "chmod 646 c/file, is writable by others (0646)",
        "chmod 777 c, c is writable by others (0777)",
        "chown 4711 c, c belongs to uid 4711",
        "chmod 777 . && mkdir -m 755 -p c, is writable by others (0777)",
        "chmod 1777 c && mv c/file real && setpriv --reuid 4711 --clear-groups ln -s ../real c/file, is a link of uid 4711",
    })
    void aConfigurationThatOthersCouldHaveWrittenIsRefused(String doing, String reason, Scene scene) {
        Path place = configuration(scene);
        shell(scene, 0, "cd " + place + " && " + doing);
        Probe probe = Probe.in(scene);
        scene.job(1, "--config", place.resolve("c/file").toString())
                .with(probe.program())
                .answer()
                .endedWith(78)
                .says("configuration file", reason, "refused");
        assertThat(probe.wasStarted()).isFalse();
    }

    private static Path configuration(Scene scene) {
        Path place = scene.beside("configuration");
        shell(scene, 0, "mkdir -p " + place + "/c && echo '{\"grace\": \"7s\"}' > " + place + "/c/file");
        return place;
    }

    @ParameterizedTest(
            name = "root''s and one''s own files are believed, also in a sticky directory and behind links: {0}")
    @ValueSource(
            strings = {":", "chmod 1777 c", "ln -s c/file link && mv c/file c/x && ln -s x c/file", "chown -R 1000 c"})
    void whatIsOursIsBelieved(String doing, Scene scene) {
        Path place = configuration(scene);
        shell(scene, 0, "cd " + place + " && " + doing);
        as(
                        USER,
                        scene.job(
                                        1,
                                        "--config",
                                        place.resolve("c/file").toString(),
                                        "--log-dir",
                                        scene.beside("t") + "/l")
                                .with("/bin/true"))
                .run()
                .endedWith(0)
                .doesNotSay("warning: configuration");
    }

    @Test
    @DisplayName("a file to which the group can write is a warning")
    void theGroupIsWarnedOf(Scene scene) {
        Path place = configuration(scene);
        shell(scene, 0, "chmod 664 " + place + "/c/file");
        scene.job(1, "--config", place.resolve("c/file").toString())
                .with("/bin/true")
                .run()
                .endedWith(0)
                .says("warning: configuration file", "is writable by its group (0664)");
    }

    @ParameterizedTest(name = "a plugin is refused before anything of it is read: {0}")
    @CsvSource({
        "chown 4711 p/x/x.jar, belongs to uid 4711",
        "chmod 666 p/x/x.jar, is writable by others (0666)",
        "chown 4711 p/x, belongs to uid 4711",
        "chmod 777 p/x, is writable by others (0777)",
        "chmod 777 p, is writable by others (0777)",
        "mkdir -m 777 e && mv p/x e && ln -s ../e/x p/x, is writable by others (0777)",
        "mv p/x/x.jar x && ln -s ../../x p/x/x.jar && chown -h 4711 p/x/x.jar, is a link of uid 4711",
        "chmod 777 ., is writable by others (0777)",
    })
    void pluginsOfOthersAreRefused(String doing, String reason, Scene scene) {
        PluginHome home = new PluginHome(scene).declared("x/x.jar", "hostile");
        shell(scene, 0, "cd " + home.plugins().getParent() + " && mv plugins p && " + doing + " && mv p plugins");
        home.muster("--engine", "hostile", "--", "/bin/true")
                .answer()
                .endedWith(78)
                .says(reason, "refused");
        assertThat(home.muster("engines").answer().endedWith(0).output()).contains(reason);
    }

    @Test
    @DisplayName("a plugin that its group can write is a warning; links of the user's own are accepted")
    void groupsOfPluginsAreWarnedOf(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("x/x.jar", "hostile");
        shell(scene, 0, "cd " + home.plugins() + " && mv x ../x && ln -s ../x x && chmod 775 . && chmod 664 x/x.jar");
        home.muster("plan", "--engine", "hostile", "--", "/bin/true")
                .run()
                .says("warning: plugins: ", "x.jar is writable by its group (0664)", "(0775)")
                .doesNotSay("refused");
    }

    /** In mind-cluster's guide the table belongs to a user of its own, in a directory that is open to all. */
    @Test
    @DisplayName("a rank table that others own or could replace is a warning; one that others can write is refused")
    void rankTablesOfOthersAreWarnedOf(Scene scene) {
        Path place = scene.beside("tables");
        Path table = place.resolve("hccl.json");
        shell(scene, 0, "mkdir " + place);
        Scene.write(table, RankTables.oneServer(1));
        Probe probe = Probe.in(scene);
        Invocation job = scene.muster(
                        "--engine",
                        "ascend",
                        "--rank-table",
                        table.toString(),
                        "--job-id",
                        "trust",
                        "--log-dir",
                        scene.beside("l").toString(),
                        "--")
                .with(probe.program());
        assertThat(warnings(job.run())).noneMatch(line -> line.contains("rank table"));
        shell(scene, 0, "chown -R 9000 " + place + "; chmod 777 " + place);
        assertThat(warnings(job.run().endedWith(0)))
                .filteredOn(line -> line.contains("rank table " + table))
                .hasSize(1);
        shell(scene, 0, "chown -R 0 " + place + "; chmod 755 " + place + "; chmod 666 " + table);
        job.run().endedWith(65).says(table.toString(), "is writable by others (0666)", "chmod o-w " + table);
    }

    @ParameterizedTest(name = "a log file that another user put there gets nothing, by uid {0}")
    @ValueSource(ints = {0, USER})
    void aPlantedLogFileGetsNothing(int uid, Scene scene) {
        Path logs = everybodys(scene, "1777");
        Path log = logs.resolve(log(scene));
        shell(scene, STRANGER, "echo planted > " + log + " && chmod 666 " + log);
        Result result = job(scene, uid, logs)
                .run()
                .endedWith(0)
                .says(log.toString(), "uid " + STRANGER, "0666", "console only");
        assertThat(result.output()).contains("a-word-of-the-rank");
        assertThat(warnings(result)).hasSize(1);
        assertThat(log).hasContent("planted");
    }

    @Tag("repeated")
    @ParameterizedTest(
            name = "a link in the place of the log directory is not followed, by uid {0}: its target gets nothing")
    @ValueSource(ints = {0, USER})
    void aLinkOfOthersIsNotFollowed(int uid, Scene scene) {
        // Each build tries each mode with one place per user. The torture tries all four combinations.
        boolean turn = uid == 0;
        for (String mode : List.of("1777", "777")) {
            turn = !turn;
            Path logs = everybodys(scene, mode);
            Path target = scene.beside("target");
            shell(scene, 0, "mkdir " + target + " && chown " + uid + " " + target);
            shell(scene, STRANGER, "ln -s " + target + " " + logs.resolve("job"));
            List<String> places = List.of("job", "job/deeper/still");
            for (String place : Repetitions.isFull() ? places : List.of(places.get(turn ? 1 : 0))) {
                Result result = job(scene, uid, logs.resolve(place))
                        .run()
                        .endedWith(0)
                        .says(logs.resolve("job").toString(), "console only");
                assertThat(result.output()).contains("a-word-of-the-rank");
                assertThat(target).isEmptyDirectory();
            }
            shell(scene, 0, "rm -r " + logs + " " + target);
        }
    }

    @ParameterizedTest(name = "{0} in the place of a log, made by another user, is not opened")
    @ValueSource(strings = {"ln -s TARGET LOG", "mkfifo -m 666 LOG", "mkdir LOG", "ln -s /dev/full LOG"})
    void whatIsNoFileIsNotOpened(String doing, Scene scene) {
        Path logs = everybodys(scene, "777");
        Path target = scene.beside("target");
        shell(scene, 0, "echo precious > " + target);
        shell(
                scene,
                STRANGER,
                doing.replace("TARGET", target.toString())
                        .replace("LOG", logs.resolve(log(scene)).toString()));
        Result result = job(scene, 0, logs).run().endedWith(0).says(log(scene), "console only");
        assertThat(result.output()).contains("a-word-of-the-rank");
        assertThat(target).hasContent("precious");
    }

    @ParameterizedTest(name = "what ranks have beside their logs is not made where a link of others leads: mode {0}")
    @ValueSource(strings = {"777", "1777"})
    void noDirectoriesAreMadeInTargets(String mode, Scene scene) {
        Path logs = everybodys(scene, mode);
        Path target = scene.beside("target");
        shell(scene, 0, "mkdir " + target);
        shell(scene, STRANGER, "ln -s " + target + " " + logs.resolve(scene.jobId()));
        Result result = job(scene, 0, logs)
                .run()
                .endedWith(0)
                .says(logs.resolve(scene.jobId()).toString());
        assertThat(target).isEmptyDirectory();
        assertThat(logs.resolve(log(scene))).hasContent("a-word-of-the-rank");
        assertThat(result.output()).contains("a-word-of-the-rank");
    }

    /** A setting of the kernel lets users make hard links to files of others. */
    @Test
    @DisplayName("the launcher does not write through hard links in the place of its files")
    void aSecondNameIsNotWritten(Scene scene) {
        Path logs = everybodys(scene, "777");
        Path target = scene.beside("target");
        shell(
                scene,
                0,
                "echo precious > " + target + "; cd " + logs + "; ln " + target + " " + log(scene) + "; ln " + target
                        + " ." + scene.jobId() + "-node-0.lock; ln " + target + " " + scene.jobId()
                        + "-node-0-result.json");
        job(scene, 0, logs).run().endedWith(0).says("hard links", "console only");
        assertThat(target).hasContent("precious");
    }

    @ParameterizedTest(name = "a directory that others can write to is written: {0}")
    @ValueSource(strings = {"log", "log/job"})
    void anOpenDirectoryIsWritten(String place, Scene scene) {
        everybodys(scene, "777");
        job(scene, 0, scene.beside(place)).run().endedWith(0);
        // The second job finds all files of the first one.
        assertThat(warnings(job(scene, 0, scene.beside(place)).run().endedWith(0)))
                .isEmpty();
        assertThat(Scene.read(scene.beside(place).resolve(log(scene))).lines()).hasSize(3);
    }

    private static List<String> warnings(Result result) {
        return result.messages()
                .lines()
                .filter(line -> line.contains("warning:"))
                .toList();
    }
}
