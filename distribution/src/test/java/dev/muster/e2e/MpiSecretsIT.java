package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ranks of the engine {@code mpi} get the environment of node 0. Other users cannot see any of it. */
@ExtendWith(Scenes.class)
class MpiSecretsIT {

    private static final String[] AS_NOBODY = {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};

    private static final Map<String, String> ODD = Map.of(
            "S3_LINES", "one\ntwo=2\n\n-x three\n",
            "S3_QUOTES", "it's \"quoted\" \\ `id` $(id) $HOME",
            "S3_EQUALS", "a==b=",
            "S3_BLANKS", "  leading, two  and trailing  ",
            "S3_JSON", "{\"key\": [\"a b\", 'c']}",
            "S3_EMPTY", "",
            "USER_GIVEN", "of no known prefix;#");

    private static final Map<String, String> ODD_NAMES = Map.of(
            "a.b",
            "1 2",
            "1x",
            "",
            "BASH_FUNC_f%%",
            "() {  :; }",
            "code",
            "c",
            "private",
            "p",
            "SHLVL",
            "7",
            "LINES",
            "1",
            "e*f,g;h",
            "=x=",
            "-k",
            "2");

    private static final String NOTES_ENVIRONMENT = "cat /proc/$$/environ > $notes/environ-$me";

    /** The environment of a rank that ran {@link #NOTES_ENVIRONMENT}. */
    private static List<String> environment(MpiJob job, int rank) {
        return List.of(Scene.read(job.note("environ-" + rank)).split("\0", -1));
    }

    /** Variables that any shell passes on, and variables that shells drop or change because of their names. */
    @Test
    void valuesArriveUnchangedInAllRanksAndEachHasThoseOfItsOwnHost(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).script(NOTES_ENVIRONMENT);
        ODD.forEach(job::set);
        ODD_NAMES.forEach(job::set);
        OnHost worker = new OnHost(job.launcher(1).set("LANG", "C").start());
        OnHost first = new OnHost(job.launcher(0).start());
        job.end(0, first, worker);
        for (int rank = 0; rank < job.ranks(); rank++) {
            List<String> environment = environment(job, rank);
            ODD.forEach((name, value) -> assertThat(environment).contains(name + "=" + value));
            ODD_NAMES.forEach((name, value) -> assertThat(environment).contains(name + "=" + value));
            assertThat(environment)
                    .filteredOn(entry -> entry.matches("(?s)(MUSTER_(?!JOB=)|SSH_|muster_).*"))
                    .isEmpty();
            int host = rank / 2;
            assertThat(environment)
                    .contains(
                            "VC_TASK_INDEX=" + host,
                            "MA_CURRENT_IP=" + job.host(host).address(),
                            "MA_CURRENT_HOST_IP=192.168.0." + (20 + host),
                            "MA_CURRENT_INSTANCE_NAME=" + job.host(host).shortName(),
                            "MA_NUM_HOSTS=2");
        }
    }

    @Test
    void secretsAreNowhereThatOthersCanReadAndSshdListensOnlyWhereTheOtherHostsLookForIt(Scene scene) {
        String secret = "hush-" + scene.tag();
        MpiJob job = MpiJob.onHosts(scene, 2)
                .set("S3_SECRET_KEY", secret)
                .set("CREDENTIAL", "x" + secret + "=")
                .script(": > $notes/up-$me", "until [ -e $notes/go ]; do sleep 0.02; done", "[ \"$S3_SECRET_KEY\" ]");
        Scene.write(scene.beside("secret"), secret + "\n");
        scene.command("chmod", "600", scene.beside("secret").toString()).run().endedWith(0);
        assertTheSearchFinds(scene, job.host(0), secret);
        OnHost[] launchers = job.startAll();
        job.awaitNotes("up");
        job.hosts().all().forEach(host -> {
            assertThat(seenByOthers(scene, host)).isEmpty();
            assertThat(host.shell("ss -Hltn").output())
                    .contains(" " + host.address() + ":36666 ")
                    .doesNotContain("0.0.0.0:36666", "*:36666", "[::]:36666");
        });
        Scene.write(job.note("go"), "");
        for (Result result : job.end(0, launchers)) {
            assertThat(result.output() + result.messages()).doesNotContain(secret);
        }
        job.hosts().all().forEach(host -> {
            assertThat(host.shell("grep -rl 'hush-' " + TestHost.LOGS + " || :").output())
                    .as("logs of %s", host.shortName())
                    .isEmpty();
            assertThat(seenByOthers(scene, host)).isEmpty();
        });
    }

    private static void assertTheSearchFinds(Scene scene, TestHost host, String secret) {
        Scene.write(host.file("/tmp/seen"), secret);
        assertThat(seenByOthers(scene, host)).isEqualTo("/tmp/seen\n");
        host.shell("rm /tmp/seen");
    }

    /** The files, arguments and environments in which a user without rights can read the secret. */
    private static String seenByOthers(Scene scene, TestHost host) {
        // The pattern comes from standard input: grep's own arguments are searched, too.
        String search = "grep -rlaF -f - /tmp /run /home /root /dev/shm /var/tmp /etc /proc/[0-9]*/cmdline"
                + " /proc/[0-9]*/environ 2> /dev/null; [ $? -le 2 ]";
        return host.here(
                        scene.command("/bin/sh", "-c", search).behind(AS_NOBODY).reading(scene.beside("secret")), "/")
                .run()
                .endedWith(0)
                .output();
    }
}
