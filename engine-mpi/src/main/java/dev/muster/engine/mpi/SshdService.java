package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sshd that a node runs.
 *
 * @param kind who has configured it
 * @param program its path, which it needs to start itself again
 * @param config its configuration
 * @param key a key that all nodes have; of an image, as far as it is known
 * @param port on which it listens
 * @param configOrigin the file of the image's that the configuration comes from; empty: it is the job's own
 */
record SshdService(
        Sshd kind, String program, GeneratedFile config, Optional<KeySource> key, SshPort port, String configOrigin) {

    private static final String PROGRAM = "sshd";
    private static final String IMAGE_CONFIG = "the image's sshd_config";

    static List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>();
        inputs.add(new Input.Program(PROGRAM, PROGRAM, List.of("/usr/sbin", "/usr/local/sbin", "/sbin")));
        if (Sshd.of(job) == Sshd.IMAGE) {
            inputs.add(new Input.TextFile(IMAGE_CONFIG, imageConfig(job, node)));
        }
        inputs.addAll(KeySource.inputs(node));
        return inputs;
    }

    static SshdService of(PlanRequest request, SshPort port) throws PlanException {
        Account.require(request);
        String program = request.input(PROGRAM, InputValue.Program.class)
                .orElseThrow(() ->
                        PlanException.unavailable("there is no sshd on PATH or in /usr/sbin. Install OpenSSH's server"
                                + " (Debian: apt-get install openssh-server; it need not run), or give -o sshd=none and a"
                                + " hostfile whose hosts serve ssh already"))
                .path();
        if (Sshd.of(request.job()) == Sshd.IMAGE) {
            return new SshdService(
                    Sshd.IMAGE,
                    program,
                    SshdConfig.ofImage(imageText(request), port),
                    KeySource.given(request),
                    port,
                    imageConfig(request.job(), request.node()));
        }
        return new SshdService(
                Sshd.OWN,
                program,
                SshdConfig.own(request.node().machine().uid()),
                Optional.of(KeySource.find(request)),
                port,
                "");
    }

    /**
     * The command that makes the key ready and keeps the node's variables for the ranks that mpirun starts here.
     *
     * @param assignment of this node
     * @param mayRestart whether the job may start again in place: then the key is that of all its runs
     * @param interfaces of which MPI gets those that this node has
     * @param kept names of these variables
     */
    List<Value> preparation(NodeAssignment assignment, boolean mayRestart, Interfaces interfaces, List<String> kept) {
        List<Value> command = PlanBuilder.script(Scripts.PREPARE);
        command.add(Value.of(program));
        command.add(config.path());
        Optional<KeySource> own = key.filter(source -> isOwn());
        command.add(Value.of(own.map(KeySource::file).orElse("")));
        // Node 0's run is the job's; whoever makes the key while there is no node 0 removes it, too.
        String ofRun = assignment.index() == 0 ? "own" : "shared";
        String ofJob = mayRestart ? "job" : ofRun;
        command.add(Value.of(own.filter(KeySource::isMade).isPresent() ? ofJob : "given"));
        command.add(Value.of(assignment.own().address()));
        command.add(Value.of(assignment.other().address()));
        command.add(Value.of(assignment.isOneMachine() ? "together" : "apart"));
        command.add(Value.of(interfaces.list()));
        command.add(Value.of(configOrigin));
        command.add(Value.of(port.number()));
        kept.forEach(name -> command.add(Value.of(name)));
        return command;
    }

    /** Whatever a login asks for, the agent is run: only so this node's variables and the run's marker reach the ranks. */
    List<Value> command() {
        List<Value> command = new ArrayList<>(List.of(
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
                        Value.of("'"))));
        return command;
    }

    /** What it reads itself or at every login: of another key, say, it has to be started anew. */
    List<String> keptFiles() {
        return List.of(config.name(), Scripts.AGENT.name(), "key", "authorized_keys");
    }

    /** Whether configuration and key are this job's. */
    boolean isOwn() {
        return kind == Sshd.OWN;
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
