package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException;
import dev.muster.spi.RequiredPort;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A node that serves ssh for the job.
 *
 * @param job the job
 * @param sshd its sshd
 * @param ssh how mpirun gets to the other nodes
 */
record SshEndpoint(MpiJob job, SshdService sshd, Ssh ssh) {

    /** The id of the service, on every node. */
    private static final String ID = "sshd";

    static SshEndpoint of(MpiJob job) throws PlanException {
        SshPort port = SshPort.of(job.spec());
        SshdService sshd = SshdService.of(job.request(), port);
        return new SshEndpoint(
                job, sshd, Ssh.of(job.spec(), job.assignment(), Sshd.of(job.spec()), Optional.of(port.number())));
    }

    /** Adds sshd, which stays until mpirun has ended, what it needs before, and the link to the other nodes. */
    void addTo(PlanBuilder plan) {
        addService(plan);
        LauncherNodes launchers = job.assignment().launchers().needed();
        plan.launchers(sshd.key().map(key -> launchers.withKey(key.file())).orElse(launchers));
        plan.equal("the port of sshd", Integer.toString(sshd.port().number()));
        if (sshd.key().isEmpty()) {
            plan.note(Note.warning(
                    "the image's sshd has keys of its own, so that whoever knows the job's id could have a say"
                            + " in it. Give --" + Options.SSH_KEY + " FILE, the same private key on all nodes"));
        }
    }

    private void addService(PlanBuilder plan) {
        plan.file(Scripts.PREPARE).file(Scripts.AGENT).file(sshd.config());
        RankShell.files().forEach(plan::file);
        ssh.files().forEach(plan::file);
        RequiredPort port = RequiredPort.of(
                sshd.port().number(),
                "sshd",
                sshd.port().origin(),
                "Give all nodes another port with -o " + Options.SSHD_PORT + "=PORT or " + SshPort.VARIABLE);
        plan.port(sshd.isOwn() ? port.at(job.assignment().own().address()) : port);
        plan.prepare(
                "ssh-keys",
                sshd.preparation(
                        job.assignment(),
                        job.spec().restarts() > 0,
                        job.interfaces(),
                        job.variables().kept()),
                PlanBuilder.STEP);
        String mpirun =
                job.assignment().index() == 0 ? Ranks.ID : LauncherNodes.processOf(Ranks.ID, LauncherNodes.ofNode(0));
        plan.server(
                ID,
                sshd.command(),
                sshd.keptFiles(),
                Condition.portOpen(job.assignment().own().address(), sshd.port().number()),
                hosted(Condition.exited(Set.of(mpirun))));
    }

    private HostedRanks hosted(Condition until) {
        int node = job.assignment().index();
        return node == 0 ? RankTasks.none(job, until) : RankTasks.ofLogin(job, until, job.slotsOf(node));
    }

    /** All nodes serve. */
    Condition allServe() {
        SortedSet<String> ids = new TreeSet<>();
        ids.add(ID);
        for (int node = 1; node < job.assignment().hosts().size(); node++) {
            ids.add(LauncherNodes.processOf(ID, LauncherNodes.ofNode(node)));
        }
        return Condition.ready(ids);
    }
}
