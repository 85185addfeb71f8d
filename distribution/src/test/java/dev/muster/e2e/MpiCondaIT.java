package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Conda environments under mpirun: the ranks of a node get the environment that its launcher has activated. */
@ExtendWith(Scenes.class)
class MpiCondaIT {

    /** Each host has the environment in a different directory. */
    private static final String[] ROOTS = {"miniconda3", "anaconda3"};

    private static String prefix(int host) {
        return TestHost.USER_HOME + "/" + ROOTS[host] + "/envs/" + CondaPrefix.NAME;
    }

    private static MpiJob job(Scene scene, int hosts) {
        return MpiJob.onHosts(scene, hosts).with("--conda-env", CondaPrefix.NAME);
    }

    private static void install(TestHost host, String prefix) {
        host.shell("""
                mkdir -p %1$s/bin %1$s/conda-meta %1$s/etc/conda/activate.d
                printf '#!/bin/sh\\necho "rank $1 of $(hostname) in $CONDA_PREFIX: $OF_NODE"\\n' >%1$s/bin/tool
                printf 'export OF_NODE="node $(hostname)" LD_LIBRARY_PATH=%1$s/lib\\n' >%1$s/etc/conda/activate.d/a.sh
                chmod 755 %1$s/bin/tool
                """.formatted(prefix));
        host.expectsFiles();
    }

    @Test
    void theRanksOfEveryHostAreInTheEnvironmentOfTheirOwn(Scene scene) {
        MpiJob job = job(scene, 2).script("tool $me", "echo \"$me has $LD_LIBRARY_PATH of $PATH\"");
        for (int host = 0; host < 2; host++) {
            install(job.host(host), prefix(host));
        }
        String output = job.run(0).get(0).output();
        for (int rank = 0; rank < 4; rank++) {
            String name = job.host(rank / 2).shortName();
            String prefix = prefix(rank / 2);
            assertThat(output)
                    .contains("rank " + rank + " of " + name + " in " + prefix + ": node " + name)
                    .contains(rank + " has " + prefix + "/lib of " + prefix + "/bin:");
        }
    }

    @Test
    void aNodeWithoutTheEnvironmentEndsTheJob(Scene scene) {
        MpiJob job = job(scene, 2).with("--input-timeout", "30s").running("/bin/true");
        install(job.host(0), prefix(0));
        OnHost[] started = job.startAll();
        started[1].await().endedWith(78).says("\"train\" is no conda environment");
        started[0].await().endedWith(78).says("node 1 (", "\"train\" is no conda environment");
        job.hosts().assertNothingIsLeft();
    }

    /** The hosts have no launcher, so the activation of the only launcher counts for all. */
    @Test
    void theRanksOfServedHostsGetWhatTheLauncherHasActivated(Scene scene) {
        MpiJob job = job(scene, 2)
                .with("-o", "sshd=none", "--hostfile", scene.beside("hosts.txt").toString())
                .script("tool $me");
        Scene.write(scene.beside("hosts.txt"), job.host(1).shortName() + " slots=2\n");
        install(job.host(0), prefix(0));
        job.host(1).shell("""
                ssh-keygen -q -t ed25519 -N '' -f /root/host_key
                printf 'HostKey /root/host_key\\nUsePAM no\\nPidFile /run/plain.pid\\n' >/root/plain
                /usr/sbin/sshd -f /root/plain -p 22
                """);
        install(job.host(1), prefix(0));
        String output = job.start(0).await().endedWith(0).output();
        job.host(1).shell("kill $(cat /run/plain.pid)");
        assertThat(output)
                .contains(
                        "rank 0 of " + job.host(1).shortName() + " in " + prefix(0) + ": node "
                                + job.host(0).shortName(),
                        "rank 1 of ");
        job.hosts().assertNothingIsLeft();
    }
}
