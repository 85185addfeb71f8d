package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.PlanException;
import dev.muster.spi.PortToUse;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Optional;

/**
 * A node that serves ssh for the job.
 *
 * @param job the job
 * @param sshd its sshd
 * @param ssh how it speaks to the other nodes
 */
record Served(MpiJob job, SshdService sshd, Ssh ssh) {

    static Served of(MpiJob job) throws PlanException {
        SshPort port = SshPort.of(job.spec());
        SshdService sshd = SshdService.of(job.request(), port);
        return new Served(job, sshd, Ssh.of(job.spec(), job.seat(), Sshd.of(job.spec()), Optional.of(port.number())));
    }

    /**
     * Adds sshd, what it needs before, and the scripts.
     *
     * @param afterwards what sshd waits for when the launcher is told to stop and this node's ranks are gone
     */
    void addTo(Parts parts, Condition afterwards) {
        parts.files(List.of(PrepareScript.FILE, Scripts.AGENT, RankScript.FILE, sshd.config()));
        parts.files(ssh.files());
        parts.port(new PortToUse(
                sshd.port().number(),
                "sshd",
                sshd.port().origin(),
                "Give all nodes another port with -o " + Options.SSHD_PORT + "=PORT or " + SshPort.VARIABLE,
                sshd.key().map(ours -> job.seat().own().address())));
        parts.step(
                "ssh-keys",
                ProcessSpec.Phase.BEFORE_TASKS,
                true,
                sshd.preparation(job.seat(), job.variables().kept()));
        parts.service("sshd", sshd.command(), Ranks.gently(afterwards));
    }
}
