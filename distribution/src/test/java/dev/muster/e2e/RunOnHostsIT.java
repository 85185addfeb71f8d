package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code muster run}: launchers on other hosts, by a real ssh. */
@ExtendWith(Scenes.class)
class RunOnHostsIT {

    private static final String[] WORDS = {
        "a b",
        "it's",
        "\"q\"",
        "\\",
        "\\n",
        "$HOME `id` $(id)",
        "two\nlines\n",
        "\t",
        "ünï→",
        "",
        "*",
        "!!",
        "%s",
        "~",
        "#"
    };

    @DisplayName("arguments and variables pass byte for byte through bash, fish, zsh and tcsh as the user's shell")
    @Test
    void wordsPassThroughShells(Scene scene) {
        Components.require("fish", "zsh", "tcsh");
        String command = " -c \"$SSH_ORIGINAL_COMMAND\"";
        try (SshHosts hosts = new SshHosts(scene, "", "fish" + command, "zsh" + command, "tcsh" + command)) {
            String value = String.join("|", WORDS);
            Result result = hosts.run("h0,h1,h2,h3", "--env", "GIVEN=" + value, "--env", "OWN_*")
                    .set("OWN_A", value)
                    .set("OTHER", "x")
                    .with(scene.script(
                            "rank",
                            "printf '%s\\0' \"$@\" \"$GIVEN\" \"$OWN_A\" \"${OTHER-none}\" \"${MUSTER_LINK_SECRET-none}\" > $scene/got-$RANK",
                            "[ -t 0 ] || read -r line || echo no input"))
                    .with(WORDS)
                    .run()
                    .endedWith(0)
                    .says("exit 0: the launchers on 4 hosts succeeded");
            String all = String.join("\0", WORDS) + "\0" + value + "\0" + value + "\0none\0none\0";
            for (String rank : Scene.each("got-", 4)) {
                assertThat(Scene.read(scene.beside(rank))).isEqualTo(all);
            }
            assertThat(result.output())
                    .contains("[h0] [rank 0] no input\n", "[h1] [rank 1] no input\n", "[h2] muster: exit 0: ");
        }
    }

    @DisplayName("the job's code is that of the failed rank; no argument of ssh shows the job's command or variables")
    @Test
    void theCodeOfTheRank(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            Launched launcher = hosts.run("h0,h1", "--env", "SECRET=pssst", "--fold")
                    .with(scene.script(
                            "rank",
                            ": > $scene/ready-$RANK",
                            "[ $RANK = 1 ] || exec sleep 1000",
                            "until [ -e $scene/go ]; do sleep 0.05; done; exit 7"))
                    .start();
            scene.awaitFiles("ready-0", "ready-1");
            assertThat(Processes.tagged(scene.tag()))
                    .filteredOn(process -> process.contains("ssh -F"))
                    .hasSize(2)
                    .noneMatch(process -> process.contains("pssst") || process.contains("rank"));
            Scene.write(scene.beside("go"), "");
            assertThat(launcher.await().endedWith(7).output()).contains("[h1] muster: exit 7: rank 1");
        }
    }

    @DisplayName(
            "hosts that cannot be reached, do not let the user in or have no Muster are all named: 69, and nothing runs")
    @Test
    void unfitHosts(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", SshHosts.WITHOUT_MUSTER, "")) {
            String closed = hosts.address(8) + ":" + hosts.port();
            hosts.run("h0,h1," + closed + ",nobody@h2")
                    .with("touch", scene.beside("ran").toString())
                    .run()
                    .endedWith(69)
                    .says(
                            "h1: has no Muster like this one (muster ",
                            hosts.address(8) + ": ssh: connect to host " + hosts.address(8),
                            "Connection refused",
                            "not found",
                            "hosts cannot run the job",
                            "nothing was started");
            String nowhere = scene.beside("nowhere").toString();
            hosts.run("h0", "--workdir", nowhere)
                    .with("true")
                    .run()
                    .endedWith(69)
                    .says("h0: there is no directory " + nowhere);
            assertThat(Files.exists(scene.beside("ran"))).isFalse();
        }
    }

    @DisplayName("--copy brings the package to a host without Muster, once")
    @OnOneJdk
    void theMissingPackageIsCopied(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", SshHosts.WITHOUT_MUSTER)) {
            hosts.run("h0,h1", "--copy")
                    .with("true")
                    .run()
                    .endedWith(0)
                    .says("copying Muster to h1")
                    .doesNotSay("to h0");
            hosts.run("h1,h0", "--copy").with("true").run().endedWith(0).doesNotSay("copying");
            assertThat(hosts.cache().resolve("muster"))
                    .isDirectoryContaining(copy -> Files.isExecutable(copy.resolve("bin/muster")))
                    .satisfies(place -> assertThat(place.toFile().list()).hasSize(1));
        }
    }

    @DisplayName("hosts come from a hostfile with slots, from Slurm and from PBS; what cannot be understood is refused")
    @Test
    void hostsFromElsewhere(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            String file = scene.beside("hosts").toString();
            Scene.write(scene.beside("hosts"), "# ours\nh0 slots=2 max_slots=4\n\nh1 slots=2 # the last\n");
            String rank = scene.script("rank", "echo rank $RANK of $WORLD_SIZE");
            assertThat(hosts.muster("--hosts-from", file, "--", rank)
                            .run()
                            .endedWith(0)
                            .output())
                    .contains("[h0] [rank 0] rank 0 of 4\n", "[h1] [rank 3] rank 3 of 4\n");
            Scene.write(scene.beside("hosts"), "h0\nh0\nh1\n");
            assertThat(hosts.muster("--hosts-from", "pbs")
                            .set("PBS_NODEFILE", file)
                            .with("--cards", "1", "--", rank)
                            .run()
                            .endedWith(0)
                            .output())
                    .contains("[h1] [rank 1] rank 1 of 2\n");
            assertThat(hosts.muster("--hosts-from", "slurm")
                            .set("SLURM_JOB_NODELIST", "h[0-1]")
                            .with("--cards", "1", "--", rank)
                            .run()
                            .endedWith(0)
                            .output())
                    .contains("[h1] [rank 1] rank 1 of 2\n");
            hosts.muster("--hosts-from", "slurm")
                    .with("--", rank)
                    .run()
                    .endedWith(64)
                    .says("SLURM_JOB_NODELIST, which is not set here");
            Scene.write(scene.beside("hosts"), "h0 ports=2\n");
            hosts.muster("--hosts-from", file)
                    .with("--", rank)
                    .run()
                    .endedWith(64)
                    .says("has \"ports=2\" in " + file + " line 1");
            assertThat(scene.beside("hosts").toFile().setWritable(true, false)).isTrue();
            hosts.muster("--hosts-from", file)
                    .with("--", rank)
                    .run()
                    .endedWith(65)
                    .says(file, "refused");
            hosts.run("h0,h0").with(rank).run().endedWith(64).says("two of the hosts are " + hosts.address(0));
        }
    }

    /** Another test has SIGTERM. */
    @DisplayName("SIGINT: ranks on all hosts have their grace, and the code is that of the signal")
    @Test
    void aSignal(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            saving(scene, hosts).signal("INT").await().endedWith(130).says("exit 130: stopped by SIGINT");
            assertSaved(scene);
        }
    }

    @DisplayName("muster stop --grace: ranks on all hosts have that grace, not the job's own")
    @Test
    void theGraceOfAStop(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            String slow = scene.script(
                    "rank",
                    "trap 'sleep 1; : > $scene/saved-$RANK; exit 0' TERM",
                    ": > $scene/ready-$RANK",
                    "while :; do sleep 0.1; done");
            Launched container = StopCommandIT.container(
                    hosts.run("h0,h1", "--grace", "100ms").with(slow));
            scene.awaitFiles("ready-0", "ready-1");
            StopCommandIT.hook(scene, container, "stop", "--grace", "30s").run().endedWith(0);
            container.await().endedWith(143).says("exit 143: stopped by SIGTERM");
            assertSaved(scene);
        }
    }

    @DisplayName(
            "SIGKILL to the launcher, or to all of it: the launchers on the hosts stop, and ranks have their grace")
    @Test
    void theCallerIsKilled(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            saving(scene, hosts).signal("KILL").await();
            assertSaved(scene);
            Launched launcher = saving(scene, hosts);
            List<Long> all = List.of(launcher.pid(), launcher.inner(), launcher.jvm());
            all.forEach(pid -> Processes.signalIfThere("KILL", pid));
            launcher.await();
            assertSaved(scene);
        }
    }

    @DisplayName("a killed ssh stops the job with 75, and the verdict names the host")
    @Test
    void theConnectionIsLost(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            Launched launcher = saving(scene, hosts);
            Processes.tagged(scene.tag()).stream()
                    .filter(process -> process.contains("ssh -F") && process.contains(" h1 exec "))
                    .map(process -> Long.valueOf(process.substring(0, process.indexOf(' '))))
                    .forEach(pid -> Processes.signal("KILL", pid));
            launcher.await().endedWith(75).says("exit 75: the connection to h1 was lost");
            assertSaved(scene);
        }
    }

    @DisplayName("when muster run is suspended, the launchers on the hosts stop after --lost-after")
    @Test
    void theCallerIsSilent(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            Launched launcher = saving(scene, hosts, "--lost-after", "3s");
            Processes.signal("STOP", launcher.jvm());
            scene.awaitFiles("saved-0", "saved-1");
            Processes.signal("CONT", launcher.jvm());
            assertThat(launcher.await().endedWith(129).output()).contains("nothing was heard of muster run for 3s");
            assertSaved(scene);
        }
    }

    @DisplayName("when the terminal is closed, the launchers on the hosts stop, and nothing is left")
    @Test
    void theTerminalIsClosed(Scene scene) {
        Components.require("python3");
        try (SshHosts hosts = new SshHosts(scene, "", "")) {
            String terminal = """
                    import os, pty, select, sys
                    pid, terminal = pty.fork()
                    if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
                    while not all(os.path.exists(sys.argv[1] + i) for i in '01'):
                        if select.select([terminal], [], [], 0.05)[0]: os.read(terminal, 65536)
                    os.close(terminal)
                    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                    """;
            hosts.run("h0,h1")
                    .with(saver(scene))
                    .behind("python3", "-c", terminal, scene.beside("ready-").toString())
                    .run()
                    .endedWith(129);
            assertSaved(scene);
        }
    }

    @DisplayName("ssh asks on the terminal for passwords and unknown host keys, and no connection outlives the job")
    @Test
    void sshAsks(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, "", SshHosts.WITH_PASSWORD, SshHosts.UNKNOWN)) {
            Invocation job = hosts.run("h0,h1,h2")
                    .with(scene.script("rank", "echo rank $RANK of $WORLD_SIZE", ": > $scene/ready-$RANK"));
            Result asked = Terminal.answering(
                            scene,
                            job,
                            "password: ",
                            "wrong\n",
                            "password: ",
                            SshHosts.PASSWORD + "\n",
                            "yes/no",
                            "yes\n")
                    .run()
                    .endedWith(0);
            assertThat(asked.output())
                    .contains("ssh asks here, to connect to h1, h2", "[h2] [rank 2] rank 2 of 3", "exit 0: ");
            scene.assertNothingIsLeft();
            Invocation given = hosts.run("h0,h1").with("true");
            assertThat(Terminal.answering(scene, given, "password: ", "\u0003")
                            .run()
                            .endedWith(130)
                            .output())
                    .contains("stopped by SIGINT; nothing was started");
            hosts.run("h1").with("true").run().endedWith(69).says("h1: ", "Permission denied (password");
            scene.assertNothingIsLeft();
        }
    }

    @DisplayName("when the terminal on which ssh has asked is closed, ranks have their grace, and nothing is left")
    @Test
    void theTerminalOfAQuestionIsClosed(Scene scene) {
        try (SshHosts hosts = new SshHosts(scene, SshHosts.WITH_PASSWORD)) {
            Invocation job = hosts.run("h0")
                    .with(scene.script(
                            "rank",
                            "trap ': > $scene/saved-$RANK; exit 0' TERM",
                            "echo up",
                            "while :; do sleep 0.1; done"));
            Terminal.answering(scene, job, "password: ", SshHosts.PASSWORD + "\n", "[rank 0] up", Terminal.HANG_UP)
                    .run()
                    .endedWith(129);
            scene.awaitFiles("saved-0");
            Invocation again = hosts.run("h0").with("true");
            Terminal.answering(scene, again, "password: ", Terminal.HANG_UP)
                    .run()
                    .endedWith(129);
            scene.assertNothingIsLeft();
        }
    }

    private static String saver(Scene scene) {
        return scene.script(
                "rank",
                "trap ': > $scene/saved-$RANK; exit 0' TERM",
                ": > $scene/ready-$RANK",
                "while :; do sleep 0.1; done");
    }

    private static Launched saving(Scene scene, SshHosts hosts, String... options) {
        Launched launcher = hosts.run("h0,h1", options).with(saver(scene)).start();
        scene.awaitFiles("ready-0", "ready-1");
        return launcher;
    }

    /** Asserts that the ranks have saved, and removes their notes for another job. */
    private static void assertSaved(Scene scene) {
        scene.awaitFiles("saved-0", "saved-1");
        for (String file : List.of("saved-0", "saved-1", "ready-0", "ready-1")) {
            assertThat(scene.beside(file).toFile().delete()).isTrue();
        }
        scene.assertNothingIsLeft();
    }
}
