package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Node 0 of a job of the engine {@code mpi} on many hosts: addresses of one machine, and an mpirun that only takes notes. */
@ExtendWith(Scenes.class)
class MpiManyHostsIT {

    private static final int HOSTS = 64;

    /** A sshd takes no more addresses. */
    private static final int ADDRESSES_OF_A_SERVER = 16;

    private static final List<String> ADDRESSES =
            IntStream.rangeClosed(1, HOSTS).mapToObj(host -> "127.0.1." + host).toList();

    private static final List<String> NAMES = IntStream.range(0, HOSTS)
            .mapToObj(index -> TestHosts.JOB + "-worker-" + index + "." + TestHosts.JOB)
            .toList();

    @Test
    void allHostsAreAwaitedAtTheSameTime(Scene scene) throws IOException {
        MpiJob job = MpiJob.onHosts(scene, 1)
                .set("MA_NUM_HOSTS", Integer.toString(HOSTS))
                .set("MA_NUM_GPUS", "1")
                .set("VC_WORKER_NUM", Integer.toString(HOSTS))
                .set("VC_WORKER_HOSTS", String.join(",", NAMES))
                .set("PATH", scene.beside("bin") + ":" + Invocation.PATH)
                .running("/bin/true", "with", "arguments");
        serveOnAllButTheFirst(scene, job.host(0));
        Path mpirun = Files.createDirectory(scene.beside("bin")).resolve("mpirun");
        Scene.write(mpirun, mpirunNotingIn(scene.beside("notes")));
        mpirun.toFile().setExecutable(true, false);
        // Looking at one host after another, and pausing before each, would take more than a minute.
        job.start(0).await().endedWith(5).tookLessThan(Duration.ofSeconds(30));
        assertThat(Scene.read(job.note("hostfile")).lines())
                .containsExactlyElementsOf(
                        ADDRESSES.stream().map(address -> address + " slots=1").toList());
        assertThat(Scene.read(job.note("arguments")).lines())
                .endsWith("/bin/true", "with", "arguments")
                .containsSubsequence("-np", "64");
    }

    /** Notes its hostfile and what it was called with, and ends as a job might. */
    private static String mpirunNotingIn(Path notes) {
        return """
                #!/bin/sh
                [ "$1" != --version ] || { echo 'mpirun (Open MPI) 4.1.4'; exit; }
                printf '%%s\\n' "$@" > %1$s/arguments
                until [ "$1" = -hostfile ] || [ "$1" = --hostfile ]; do shift; done
                cp "$2" %1$s/hostfile
                exit 5
                """.formatted(notes);
    }

    /** Starts a sshd that accepts every login with the job's key, and does what is asked for but the launchers' own words. */
    private static String serverListeningOn(String addresses) {
        return """
                cd /home/ma-user
                cat > $1 << 'end'
                Port 36666
                %s
                HostKey /home/ma-user/.ssh/id_rsa
                AuthorizedKeysFile /home/ma-user/.ssh/authorized_keys
                PidFile none
                UsePAM no
                StrictModes no
                UseDNS no
                MaxStartups 500
                ForceCommand case $SSH_ORIGINAL_COMMAND in release*) ;; *) eval "$SSH_ORIGINAL_COMMAND" ;; esac
                end
                exec /usr/sbin/sshd -f /home/ma-user/$1
                """.formatted(addresses);
    }

    private static void serveOnAllButTheFirst(Scene scene, TestHost host) {
        // The name that the host was made with means its own network.
        host.forgets(NAMES.get(0));
        IntStream.range(0, HOSTS).forEach(index -> host.learns(NAMES.get(index), ADDRESSES.get(index)));
        for (int first = 1; first < HOSTS; first += ADDRESSES_OF_A_SERVER) {
            List<String> some = ADDRESSES.subList(first, Math.min(first + ADDRESSES_OF_A_SERVER, HOSTS));
            serve(scene, host, some);
        }
    }

    private static void serve(Scene scene, TestHost host, List<String> addresses) {
        String listen = String.join(
                "\n",
                addresses.stream().map(address -> "ListenAddress " + address).toList());
        host.here(
                        scene.command("/bin/sh", "-ec", serverListeningOn(listen), "sh", "others-" + addresses.get(0))
                                .behind(TestHost.AS_USER)
                                .unset(Processes.TAG),
                        "/")
                .run()
                .endedWith(0);
    }
}
