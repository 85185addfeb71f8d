package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rare options and settings of the engine {@code mpi}, with a launcher on every host. */
@ExtendWith(Scenes.class)
class MpiModesIT {

    private static final String IMAGE_CONFIG = TestHost.USER_HOME + "/etc/ssh/sshd_config";

    /** Makes the files of a ModelArts image for {@code run_mpi.sh}. Only the image's own ssh configuration names the key. */
    static final String IMAGE = """
        cd /home/ma-user && mkdir -p etc/ssh var/run && cp .ssh/id_rsa etc/ssh_host_rsa_key && mv .ssh/id_rsa .ssh/job_key
        cat >etc/ssh/sshd_config <<'end'
        Port {{MY_SSHD_PORT}}
        HostKey /home/ma-user/etc/ssh_host_rsa_key
        AuthorizedKeysFile /home/ma-user/.ssh/authorized_keys
        PidFile /home/ma-user/var/run/sshd.pid
        StrictModes no
        UsePAM no
        Match User nobody
          X11Forwarding no
        end
        echo 'IdentityFile ~/.ssh/job_key' >>.ssh/config
        chown -R 1000:100 .
        """;

    /** A horovodrun like the real one over Gloo: it takes few options, and calls ssh without naming a configuration. */
    private static String horovodrun(Path notes) {
        return """
            #!/bin/bash
            printf '%%s\\n' "$@" >%1$s/arguments
            while [[ $1 == -* ]]; do
              case $1 in -hostfile) file=$2 ;; -p) port=$2 ;; -np | --network-interface) ;; *) exit 64 ;; esac
              shift 2
            done
            ssh -G -o StrictHostKeyChecking=no anybody | grep -i stricthostkeychecking >%1$s/strict
            rank=0
            while read -r host slots; do
              for ((i = 0; i < ${slots#slots=}; i++)); do
                ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=no "$host" -p "$port" "env HOROVOD_RANK=$rank $(printf '%%q ' "$@")" </dev/null &
                rank=$((rank + 1))
              done
            done <"$file"
            code=0
            while ((rank-- > 0)); do wait -n || code=$?; done
            exit $code
            """.formatted(notes);
    }

    /** An mpirun that notes its arguments, and calls the other host by ssh, as the real one does to start a daemon. */
    private static String otherMpirun(Path notes, String version) {
        return """
            #!/bin/bash
            [[ $1 != --version ]] || { echo '%2$s'; exit; }
            printf '%%s\\n' "$@" >%1$s/arguments
            ssh $HYDRA_LAUNCHER_EXTRA_ARGS "$OTHER" hostname >%1$s/host
            exit 5
            """.formatted(notes, version);
    }

    private static void program(Scene scene, MpiJob job, String name, String text) throws IOException {
        Path file = Files.createDirectories(scene.beside("bin")).resolve(name);
        Scene.write(file, text);
        assertThat(file.toFile().setExecutable(true, false)).isTrue();
        job.set("PATH", scene.beside("bin") + ":" + Invocation.PATH);
    }

    @Test
    void theImagesSshdServesWithItsOwnConfigurationAndKeys(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).with("-o", "sshd=image").set("MY_SSHD_PORT", "40022");
        job.hosts().all().forEach(host -> {
            host.shell(IMAGE);
            host.expectsFiles();
        });
        job.script("[ $me != 3 ] || { ss -ltn | grep -c ':40022 ' >$notes/listening; exit 3; }", "exec sleep 600");
        List<Result> results = job.run(3);
        results.forEach(result -> result.doesNotSay("kex_exchange_identification"));
        assertThat(results.get(0).output() + results.get(1).output()).doesNotContain("[sshd]");
        assertThat(Integer.parseInt(Scene.read(job.note("listening")).strip())).isPositive();
        job.hosts().all().forEach(host -> assertThat(host.read(IMAGE_CONFIG)).startsWith("Port {{MY_SSHD_PORT}}\n"));
    }

    /** An image without an sshd configuration is refused, too. */
    @Test
    void aMatchBlockOfTheImagesThatWinsIsRefused(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("-o", "sshd=image")
                .set("MY_SSHD_PORT", "40022")
                .running("/bin/true");
        job.start(1).await().endedWith(69).says(IMAGE_CONFIG, "sshd=own");
        job.hosts().assertNothingIsLeft();
        job.hosts().all().forEach(host -> {
            host.shell(IMAGE + "printf 'Match all\\n  ForceCommand /bin/false\\n' >>etc/ssh/sshd_config\n");
            host.expectsFiles();
        });
        // Both launchers refuse. Chance decides which one is first and tells the other.
        List<Result> results = job.run(78);
        assertThat(results.stream().map(result -> result.messages() + result.output()))
                .anySatisfy(said ->
                        assertThat(said).contains(IMAGE_CONFIG + ": forcecommand /bin/false wins over", "-o sshd=own"));
    }

    @Test
    @DisplayName(
            "the job uses another directory if sshd cannot use the temporary one; ModelArts sets slots and interfaces")
    void aPlaceThatNoSshdCouldBeToldIsPassedOverAndModelArtsOwnNumbersHold(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .set("MY_MPI_SLOTS", "3")
                .set("MY_MPI_BTL_TCP_IF", "eth0")
                .set("MY_SSHD_PORT", "40001")
                .script(
                        "touch $notes/was-$me",
                        "ss -ltn | grep -q ':40001 ' && echo $NCCL_SOCKET_IFNAME $OMPI_COMM_WORLD_SIZE");
        String odd = TestHost.USER_HOME + "/it's 100%h \\ \"x\" #";
        String ofTwoLines = TestHost.USER_HOME + "/a\nb";
        job.set("XDG_RUNTIME_DIR", odd).set("TMPDIR", ofTwoLines);
        job.hosts().all().forEach(host -> {
            for (String place : List.of(odd, ofTwoLines)) {
                String quoted = "'" + place.replace("'", "'\\''") + "'";
                host.shell("mkdir -m 0700 " + quoted + " && chown 1000:100 " + quoted);
            }
            host.expectsFiles();
        });
        List<Result> results = job.run(0);
        job.assertNotes("was", results);
        assertThat(results.get(0).output()).contains("eth0 6");
    }

    @Test
    void aGivenHostfileHasSlotsOfEachHost(Scene scene) {
        Path hostfile = scene.beside("hosts");
        MpiJob job =
                MpiJob.onHosts(scene, 2).with("--hostfile", hostfile + ".txt").script("echo \"$me on $(hostname)\"");
        Scene.write(
                Path.of(hostfile + ".txt"),
                "# of the user\n" + job.host(0).shortName() + " slots=1\n\n"
                        + job.host(1).shortName() + " slots=3\n");
        List<Result> results = job.run(0);
        assertThat(results.get(0).output())
                .contains(
                        "0 on job-e2e-worker-0",
                        "1 on job-e2e-worker-1",
                        "2 on job-e2e-worker-1",
                        "3 on job-e2e-worker-1");
    }

    @Test
    void horovodrunsCallsOfSshAreOfThisJob(Scene scene) throws IOException {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("-o", "launcher=horovodrun", "--sshd-port", "40001")
                .set("MY_MPI_BTL_TCP_IF", "ib0")
                .script("hostname >$notes/host-$HOROVOD_RANK", "[ $HOROVOD_RANK != 2 ] || exit 3");
        program(scene, job, "horovodrun", horovodrun(scene.beside("notes")));
        // Without the job's own ssh configuration ssh would not know these hosts.
        job.hosts().all().forEach(host -> {
            host.shell("rm /home/ma-user/.ssh/config");
            host.expectsFiles();
        });
        job.run(3);
        assertThat(Scene.read(job.note("host-3"))).isEqualTo(job.host(1).shortName() + "\n");
        assertThat(Scene.read(job.note("strict"))).endsWith(" true\n");
        // The arguments are those of Apulis' example.
        List<String> words = Scene.read(job.note("arguments")).lines().toList();
        assertThat(words.get(3)).endsWith("/hostfile");
        assertThat(words).endsWith("rank", scene.beside("rank.sh").toString());
        assertThat(words.subList(0, 9))
                .containsExactly(
                        "-np", "4", "-hostfile", words.get(3), "-p", "40001", "--network-interface", "ib0", "/bin/sh");
    }

    /** Intel's options are like MPICH's. The unit tests of the engine check them. */
    @Test
    void everyMpirunGetsItsOwnOptions(Scene scene) throws IOException {
        Map<String, String> options = new TreeMap<>(Map.of(
                "mpirun (Open MPI) 5.0.3", "--prtemca plm_ssh_args", "HYDRA build details:", "-launcher ssh -envlist"));
        MpiJob job = MpiJob.onHosts(scene, 2).running("/bin/true");
        job.set("OTHER", job.host(1).address());
        for (Map.Entry<String, String> mpirun : options.entrySet()) {
            program(scene, job, "mpirun", otherMpirun(scene.beside("notes"), mpirun.getKey()));
            job.run(5);
            assertThat(Scene.read(job.note("arguments")).lines())
                    .as(mpirun.getKey())
                    .containsSubsequence(mpirun.getValue().split(" ", -1))
                    .endsWith("/bin/true");
            if (mpirun.getKey().startsWith("HYDRA")) {
                assertThat(Scene.read(job.note("host"))).isEqualTo(job.host(1).shortName() + "\n");
            }
        }
    }

    /** sshd gets its port, although it is one of few local ports: the launcher's check of the port may connect to itself. */
    @Test
    void numbersAreThoseOfTheCommandLineBeforeModelArtsOwn(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--slots", "3", "--sshd-port", "40001")
                .set("MY_MPI_SLOTS", "9")
                .set("MY_MPI_BTL_TCP_IF", "lo,eth0")
                .set("MY_SSHD_PORT", "9");
        // Not on the first host: mpirun needs more local ports there.
        job.host(1).shell("echo 40001 40012 >/proc/sys/net/ipv4/ip_local_port_range");
        job.script("ss -ltn | grep -q ':40001 ' && echo $NCCL_SOCKET_IFNAME $OMPI_COMM_WORLD_SIZE");
        assertThat(job.run(0).get(0).output()).contains("lo,eth0 6");
    }
}
