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
import dev.muster.spi.ValueText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The sshd that a node runs for the job. */
final class SshdService {

    /** The id of the service, on every node. */
    private static final String ID = "sshd";

    private static final String PROGRAM = "sshd";
    private static final String CONFIG = "sshd_config";
    private static final String IMAGE_CONFIG = "the image's sshd_config";

    /** The placeholder of the port in images of ModelArts. */
    private static final String PORT_PLACE = "{{MY_SSHD_PORT}}";

    private static final String KEYS = "keys of ~/.ssh";

    /** OpenSSH's names of keys; Volcano's ssh plugin makes the first. All nodes must choose the same key. */
    private static final List<String> KEY_NAMES = List.of("id_rsa", "id_ed25519", "id_ecdsa");

    private final MpiJob job;
    private final PlanRequest request;
    private final boolean isOwn;
    private final Options.Count port;
    private final String program;

    SshdService(MpiJob job) throws PlanException {
        this.job = job;
        this.request = job.request();
        this.isOwn = Sshd.of(job.spec()) == Sshd.OWN;
        this.port = job.sshPort().orElseThrow();
        this.program = request.input(PROGRAM, InputValue.Program.class)
                .orElseThrow(() ->
                        PlanException.unavailable("there is no sshd on PATH or in /usr/sbin. Install OpenSSH's server"
                                + " (Debian: apt-get install openssh-server; it need not run), or give -o sshd=none and a"
                                + " hostfile whose hosts serve ssh already"))
                .path();
    }

    static List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>();
        inputs.add(new Input.Program(PROGRAM, PROGRAM, List.of("/usr/sbin", "/usr/local/sbin", "/sbin")));
        if (Sshd.of(job) == Sshd.IMAGE) {
            inputs.add(new Input.TextFile(IMAGE_CONFIG, imageConfig(node)));
        }
        node.machine().home().ifPresent(home -> inputs.add(new Input.Listing(KEYS, home + "/.ssh", "id_")));
        return inputs;
    }

    /** Adds sshd, which runs until mpirun has ended, its prolog, and the link to the other nodes. */
    void addTo(PlanBuilder plan) throws PlanException {
        GeneratedFile config = isOwn ? ownConfig() : config(Value.of(imageText()));
        Optional<String> key = key();
        plan.builder.file(Scripts.PREPARE).file(Scripts.AGENT).file(config);
        plan.builder.files(RankShell.files());
        plan.builder.files(new SshClient(job).files());
        plan.builder.port(requiredPort());
        plan.prolog("ssh-keys", preparation(config, key), loginTime().plus(PlanBuilder.HOOK_TIMEOUT));
        String address = job.assignment().own().address();
        plan.service(ID, command(config), Condition.portOpen(address, port.value()), hosted());
        LauncherNodes launchers = job.assignment().launchers().needed();
        plan.builder.launchers(key.map(launchers::withKey).orElse(launchers));
        plan.builder.equal("the port of sshd", Integer.toString(port.value()));
        // Node 0 starts all ranks. On a node with fewer cards than ranks, ranks would share cards.
        plan.builder.equal("ranks of the job", Integer.toString(job.assignment().ranks()));
        if (key.isEmpty()) {
            plan.builder.note(Note.warning(
                    "the image's sshd has keys of its own, so that whoever knows the job's id could have a say"
                            + " in it. Give --" + Options.SSH_KEY + " FILE, the same private key on all nodes"));
        }
    }

    private RequiredPort requiredPort() {
        RequiredPort required = RequiredPort.of(
                port.value(),
                "sshd",
                port.origin(),
                "Give all nodes another port with -o " + Options.SSHD_PORT + "=PORT or " + Options.PORT_VARIABLE);
        return isOwn ? required.at(job.assignment().own().address()) : required;
    }

    /** The path of the job's key. Every node uses it as user key, as authorized key and as host key. */
    private Optional<String> key() throws PlanException {
        Optional<String> given = job.spec().option(Options.SSH_KEY).map(OptionValue::value);
        Optional<InputValue.Text> found = request.input(KEYS, InputValue.Text.class);
        Optional<String> key = given.or(() -> KEY_NAMES.stream()
                .filter(name -> found.isPresent()
                        && found.get().content().lines().toList().contains(name))
                .map(name -> found.orElseThrow().path() + "/" + name)
                .findFirst());
        if (isOwn && key.isEmpty()) {
            throw PlanException.unavailable(
                    "the nodes of the job have no key with which they could reach each other: there is no "
                            + String.join(", ", KEY_NAMES) + " in "
                            + request.node()
                                    .machine()
                                    .home()
                                    .map(home -> home + "/.ssh")
                                    .orElse("~/.ssh (this user has no home)")
                            + ". Put the same key into the image or the job (in a Volcano job by its plugin ssh), or give"
                            + " all nodes the same with --ssh-key FILE. ssh-keygen -N '' -f FILE makes one");
        }
        return key;
    }

    /** The job's own configuration. With the job's key a client can only run the job's commands. */
    private GeneratedFile ownConfig() {
        Value place = Value.privateDirectory();
        return config(new ValueText()
                .line("HostKey \"", place, "/key\"")
                .line("AuthorizedKeysFile \"", place, "/authorized_keys\"")
                .line("PermitRootLogin ", job.isRoot() ? "prohibit-password" : "no")
                .add(Value.resource("sshd-sessions.conf"))
                .value());
    }

    private static GeneratedFile config(Value text) {
        return new GeneratedFile(
                CONFIG,
                Optional.empty(),
                CONFIG,
                new ValueText().add(Value.resource("sshd-job.conf")).add(text).value());
    }

    private String imageText() throws PlanException {
        return request.input(IMAGE_CONFIG, InputValue.Text.class)
                .orElseThrow(() -> PlanException.unavailable("-o " + Options.SSHD + "=" + Sshd.IMAGE.word() + ", but "
                        + imageConfig(request.node())
                        + " is not there. Put it there, or give -o " + Options.SSHD + "=" + Sshd.OWN.word()))
                .content()
                .replace(PORT_PLACE, Integer.toString(port.value()));
    }

    private static String imageConfig(Node node) {
        return node.machine().home().orElse("") + "/etc/ssh/sshd_config";
    }

    /** The command that prepares the key, and stores the node's variables for the ranks that mpirun starts here. */
    private List<Value> preparation(GeneratedFile config, Optional<String> key) {
        HostAssignment assignment = job.assignment();
        List<Value> command = PlanBuilder.script(Scripts.PREPARE);
        command.addAll(List.of(
                Value.of(program),
                config.path(),
                Value.of(isOwn ? key.orElseThrow() : ""),
                Value.of(assignment.own().address()),
                Value.of(assignment.other().address()),
                Value.of(assignment.isOneMachine() ? "together" : "apart"),
                Value.of(job.interfaces()),
                Value.of(isOwn ? "" : imageConfig(request.node())),
                Value.of(port.value()),
                Value.of(loginTime().toSeconds())));
        command.addAll(Launch.literally(job.variables().notForwarded()));
        return command;
    }

    /** How long the user's login shell may take; zero on node 0, because mpirun does not log in to its own node. */
    private Duration loginTime() {
        Duration patience = job.spec().inputTimeout();
        return job.assignment().index() == 0 ? Duration.ZERO : patience.plus(Duration.ofMillis(999));
    }

    /** The command of sshd. Every login runs agent.sh, which gives this node's variables and the run's marker to the ranks. */
    private List<Value> command(GeneratedFile config) {
        return List.of(
                Value.of(program),
                Value.of("-D"),
                Value.of("-e"),
                Value.of("-f"),
                config.path(),
                Value.of("-p"),
                Value.of(port.value()),
                Value.of("-o"),
                Value.joined(
                        Value.of("ForceCommand=exec /bin/sh '"),
                        Scripts.AGENT.path(),
                        Value.of("' '"),
                        Value.privateDirectory(),
                        Value.of("'")));
    }

    private HostedRanks hosted() {
        int node = job.assignment().index();
        String mpirun = node == 0 ? MpirunTask.ID : LauncherNodes.processOf(MpirunTask.ID, LauncherNodes.ofNode(0));
        return RankTasks.ofLogins(job, Condition.exited(Set.of(mpirun)));
    }

    /** The sshd of every node is ready. */
    Condition allServe() {
        SortedSet<String> ids = new TreeSet<>();
        ids.add(ID);
        for (int node = 1; node < job.assignment().hosts().size(); node++) {
            ids.add(LauncherNodes.processOf(ID, LauncherNodes.ofNode(node)));
        }
        return Condition.ready(ids);
    }
}
