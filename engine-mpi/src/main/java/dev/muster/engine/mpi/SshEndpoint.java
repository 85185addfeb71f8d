package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A node that serves ssh for the job.
 *
 * @param job the job
 * @param ssh how mpirun gets to the other nodes
 * @param program the path of sshd, which it needs to start itself again
 * @param config its configuration
 * @param key a key that all nodes have; of an image, as far as it is known
 * @param port on which it listens
 * @param configOrigin the file of the image's that the configuration comes from; empty: it is the job's own
 */
record SshEndpoint(
        MpiJob job,
        Ssh ssh,
        String program,
        GeneratedFile config,
        Optional<KeySource> key,
        SshPort port,
        String configOrigin) {

    /** The id of the service, on every node. */
    private static final String ID = "sshd";

    private static final String PROGRAM = "sshd";
    private static final String IMAGE_CONFIG = "the image's sshd_config";

    private static final String ACCOUNT = "id -un";

    /** What {@code id} ends with when the uid has no name. */
    private static final int NO_NAME = 1;

    static List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>();
        inputs.add(new Input.CommandOutput(ACCOUNT, List.of("id", "-un"), Duration.ofSeconds(30)));
        inputs.add(new Input.Program(PROGRAM, PROGRAM, List.of("/usr/sbin", "/usr/local/sbin", "/sbin")));
        if (Sshd.of(job) == Sshd.IMAGE) {
            inputs.add(new Input.TextFile(IMAGE_CONFIG, imageConfig(job, node)));
        }
        inputs.addAll(KeySource.inputs(node));
        return inputs;
    }

    static SshEndpoint of(MpiJob job) throws PlanException {
        SshPort port = SshPort.of(job.spec());
        PlanRequest request = job.request();
        requireAccount(request);
        Sshd sshd = Sshd.of(job.spec());
        boolean isOwn = sshd == Sshd.OWN;
        return new SshEndpoint(
                job,
                Ssh.of(job.spec(), job.assignment(), sshd, Optional.of(port.number())),
                program(request),
                isOwn ? SshdConfig.own(request.node().machine().uid()) : SshdConfig.ofImage(imageText(request), port),
                isOwn ? Optional.of(KeySource.find(request)) : KeySource.given(request),
                port,
                isOwn ? "" : imageConfig(job.spec(), request.node()));
    }

    private static String program(PlanRequest request) throws PlanException {
        return request.input(PROGRAM, InputValue.Program.class)
                .orElseThrow(() ->
                        PlanException.unavailable("there is no sshd on PATH or in /usr/sbin. Install OpenSSH's server"
                                + " (Debian: apt-get install openssh-server; it need not run), or give -o sshd=none and a"
                                + " hostfile whose hosts serve ssh already"))
                .path();
    }

    /** Whether configuration and key are this job's. */
    private boolean isOwn() {
        return configOrigin.isEmpty();
    }

    /** Adds sshd, which stays until mpirun has ended, what it needs before, and the link to the other nodes. */
    void addTo(PlanBuilder plan) {
        addService(plan);
        LauncherNodes launchers = job.assignment().launchers().needed();
        plan.parts.launchers(key.map(key -> launchers.withKey(key.file())).orElse(launchers));
        plan.parts.equal("the port of sshd", Integer.toString(port.number()));
        if (key.isEmpty()) {
            plan.parts.note(Note.warning(
                    "the image's sshd has keys of its own, so that whoever knows the job's id could have a say"
                            + " in it. Give --" + Options.SSH_KEY + " FILE, the same private key on all nodes"));
        }
    }

    private void addService(PlanBuilder plan) {
        plan.parts.file(Scripts.PREPARE).file(Scripts.AGENT).file(config);
        plan.parts.files(RankShell.files());
        plan.parts.files(ssh.files());
        RequiredPort required = RequiredPort.of(
                port.number(),
                "sshd",
                port.origin(),
                "Give all nodes another port with -o " + Options.SSHD_PORT + "=PORT or " + SshPort.VARIABLE);
        plan.parts.port(isOwn() ? required.at(job.assignment().own().address()) : required);
        plan.prepare("ssh-keys", preparation(), PlanBuilder.STEP);
        String mpirun =
                job.assignment().index() == 0 ? Ranks.ID : LauncherNodes.processOf(Ranks.ID, LauncherNodes.ofNode(0));
        plan.server(
                ID,
                command(),
                // What it reads itself or at every login: of another key, say, it has to be started anew.
                List.of(config.name(), Scripts.AGENT.name(), "key", "authorized_keys"),
                Condition.portOpen(job.assignment().own().address(), port.number()),
                hosted(Condition.exited(Set.of(mpirun))));
    }

    /** The command that makes the key ready and keeps the node's variables for the ranks that mpirun starts here. */
    private List<Value> preparation() {
        NodeAssignment assignment = job.assignment();
        Optional<KeySource> own = key.filter(source -> isOwn());
        // Node 0's run is the job's; whoever makes the key while there is no node 0 removes it, too. A job that starts
        // again in place has one
        // key for all its runs.
        String ofRun = assignment.index() == 0 ? "own" : "shared";
        String whose = job.spec().restarts() > 0 ? "job" : ofRun;
        List<Value> command = PlanBuilder.script(Scripts.PREPARE);
        command.addAll(List.of(
                Value.of(program),
                config.path(),
                Value.of(own.map(KeySource::file).orElse("")),
                Value.of(own.filter(KeySource::isMade).isPresent() ? whose : "given"),
                Value.of(assignment.own().address()),
                Value.of(assignment.other().address()),
                Value.of(assignment.isOneMachine() ? "together" : "apart"),
                Value.of(job.interfaces().list()),
                Value.of(configOrigin),
                Value.of(port.number())));
        command.addAll(Launch.literally(job.variables().kept()));
        return command;
    }

    /** Whatever a login asks for, the agent is run: only so this node's variables and the run's marker reach the ranks. */
    private List<Value> command() {
        return List.of(
                Value.of(program),
                Value.of("-D"),
                Value.of("-e"),
                Value.of("-f"),
                config.path(),
                Value.of("-p"),
                Value.of(port.number()),
                Value.of("-o"),
                Value.joined(
                        Value.of("ForceCommand=exec /bin/sh '"),
                        Scripts.AGENT.path(),
                        Value.of("' '"),
                        Value.privateDirectory(),
                        Value.of("'")));
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

    /** The user's entry among the accounts, without which neither ssh nor sshd works. */
    private static void requireAccount(PlanRequest request) throws PlanException {
        boolean isNameless = request.input(ACCOUNT, InputValue.CommandOutput.class)
                .filter(said -> said.exitCode() == NO_NAME)
                .isPresent();
        if (isNameless) {
            int uid = request.node().machine().uid();
            throw PlanException.unavailable(
                    "uid " + uid + " has no entry in /etc/passwd, and ssh refuses to work without. Add a"
                            + " line such as \"ma-user:x:" + uid
                            + ":100::/home/ma-user:/bin/sh\" to the image's /etc/passwd, or run"
                            + " the job as a user that has one");
        }
    }

    private static String imageText(PlanRequest request) throws PlanException {
        return request.input(IMAGE_CONFIG, InputValue.Text.class)
                .orElseThrow(() -> PlanException.unavailable("-o " + Options.SSHD + "=" + Sshd.IMAGE.word() + ", but "
                        + imageConfig(request.job(), request.node())
                        + " is not there. Give -o " + Options.SSHD_CONFIG + "=FILE, or -o " + Options.SSHD + "="
                        + Sshd.OWN.word()))
                .content();
    }

    private static String imageConfig(JobSpec job, Node node) {
        return job.option(Options.SSHD_CONFIG)
                .map(OptionValue::value)
                .orElseGet(() -> home(node) + "/etc/ssh/sshd_config");
    }

    private static String home(Node node) {
        return node.machine().home().orElse("");
    }
}
