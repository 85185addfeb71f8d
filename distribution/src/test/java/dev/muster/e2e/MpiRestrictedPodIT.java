package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys and the sshd of a job of several {@link RestrictedPodIT restricted pods}. */
@ExtendWith(Scenes.class)
class MpiRestrictedPodIT {

    private static final String ALLREDUCE =
            Product.project().resolve("examples/training/mpi_allreduce.py").toString();

    /** @param variable that leads there */
    @ParameterizedTest
    @CsvSource({"TMPDIR, /var/tmp", "NOTHING, /tmp"})
    void theJobRunsAndSaysWhoCouldTakeItOver(String variable, String volume, Scene scene) {
        // The files that MPI processes share do not depend on the place of the keys.
        boolean usesMpi = variable.equals("TMPDIR");
        MpiJob job = MpiJob.onHosts(scene, 2)
                .set(variable, volume)
                .script(
                        "[ $me != 0 ] || for place in " + volume
                                + "/muster-*; do stat -c '%a %U' $place; cat $place/sshd_config; done",
                        usesMpi ? "exec " + Components.requireMpi() + " '" + ALLREDUCE + "' --steps 2" : "exit 0");
        job.hosts().all().forEach(host -> RestrictedPodIT.restrict(host, volume));
        List<Result> results = job.run(0);
        // Only the user can access the directory, and sshd skips its check of permissions.
        assertThat(results.get(0).output())
                .contains("700 ma-user", "StrictModes no")
                .contains(usesMpi ? "job: ok: 4 ranks" : "");
        results.forEach(result -> result.says("warning: the job's keys lie below " + volume));
    }

    @Test
    void aStickyDirectoryIsNoRisk(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).set("TMPDIR", "/var/tmp").running("/bin/true");
        job.hosts().all().forEach(host -> {
            RestrictedPodIT.restrict(host, "/var/tmp");
            host.shell("chmod 1777 /var/tmp");
        });
        job.run(0).forEach(result -> result.doesNotSay("keys lie"));
    }

    @Test
    void aClosedPlaceIsStillPreferred(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .set("TMPDIR", "/var/tmp")
                .script("[ $me != 0 ] || cat $HOME/muster-*/sshd_config");
        job.hosts().all().forEach(host -> host.shell("chmod 0777 /var/tmp"));
        Result result = job.run(0).get(0).doesNotSay("keys lie");
        assertThat(result.output()).contains(TestHost.USER_HOME + "/muster-");
    }

    /** On a shared machine other users could replace the job's keys by their own. */
    @ParameterizedTest
    @CsvSource({"chown 1234 /var/tmp, belongs to uid 1234", "mkdir -m 0777 /var/tmp/open, is writable by others"})
    void whereAnybodyCouldExchangeThingsTheJobIsRefused(String made, String reason, Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .set("TMPDIR", made.startsWith("mkdir") ? "/var/tmp/open" : "/var/tmp")
                .set("HOME", "/nonexistent")
                .with("-o", "ssh-key=" + TestHost.USER_HOME + "/.ssh/id_rsa")
                .running("/bin/true");
        job.hosts().all().forEach(host -> {
            host.shell(made);
            host.expectsFiles();
            RestrictedPodIT.restrict(host, "/var/tmp");
        });
        OnHost[] started = job.startAll();
        for (OnHost launcher : started) {
            launcher.await().endedWith(78).says(reason, "XDG_RUNTIME_DIR");
        }
        job.hosts().assertNothingIsLeft();
    }
}
