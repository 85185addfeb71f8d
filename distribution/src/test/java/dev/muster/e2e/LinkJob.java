package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A job on {@link TestHosts} with a launcher and a rank on each host. Several jobs may run on the same hosts at once. */
final class LinkJob {

    /** How launchers learn of each other. */
    enum Form {
        /** Without a platform, by options alone. */
        OPTIONS,
        /** In the containers of a ModelArts job. */
        PLATFORM,
        /** In the containers of a vcjob of MindX DL with Volcano's plugins. An option gives the rank table. */
        MINDX_DL
    }

    private final Scene scene;
    private final TestHosts hosts;
    private final LinkEngine engine;
    private final Form form;
    private final String id;
    private final LinkNotes notes;
    private final List<String> options = new ArrayList<>();
    private final List<Integer> places;
    private final Map<Integer, Integer> claimed = new HashMap<>();
    private final Map<Integer, Integer> seen = new HashMap<>();
    private final Map<Integer, Integer> cards = new HashMap<>();
    private final Map<Integer, String> aliases = new HashMap<>();
    private final Map<Integer, String[]> wrappers = new HashMap<>();
    private String[] command = {"true"};
    private String[] verb = {};
    private OnHost[] launchers = {};

    /** @param name tells the jobs of a scene apart */
    LinkJob(Scene scene, TestHosts hosts, LinkEngine engine, Form form, String name) {
        engine.requireComponents();
        this.scene = scene;
        this.hosts = hosts;
        this.engine = engine;
        this.form = form;
        this.id = name + "-" + engine.id();
        this.notes = new LinkNotes(scene.beside("notes-" + id));
        this.places = new ArrayList<>(IntStream.range(0, hosts.count()).boxed().toList());
        if (form != Form.OPTIONS) {
            callAsThePlatform();
        }
    }

    /** Volcano's host names contain the name of the job. */
    private void callAsThePlatform() {
        for (int node = 0; node < places.size(); node++) {
            String name = id + "-worker-" + node + "." + id;
            String address = host(node).address();
            aliases.put(node, name);
            hosts.all().forEach(each -> each.learns(name, address));
        }
    }

    /** A job of every engine on the same hosts, without a platform: for tests of how an engine learns its nodes. */
    static List<LinkJob> ofEveryEngine(Scene scene, TestHosts hosts, String name) {
        return of(List.of(LinkEngine.values()), scene, hosts, Form.OPTIONS, name);
    }

    /** A job for every kind of plan on the same hosts, without a platform. The name picks the engines: {@link LinkEngine#inTurn}. */
    static List<LinkJob> ofEveryPlan(Scene scene, TestHosts hosts, String name) {
        return ofEveryPlan(scene, hosts, Form.OPTIONS, name);
    }

    static List<LinkJob> ofEveryPlan(Scene scene, TestHosts hosts, Form form, String name) {
        return of(LinkEngine.inTurn((name + form).hashCode()), scene, hosts, form, name);
    }

    /** A job of one kind of plan; in {@code ./verify --torture} one for every kind, in the tests with the tag {@code repeated}. */
    static List<LinkJob> ofPlan(Scene scene, TestHosts hosts, LinkEngine engine, String name) {
        return ofPlan(scene, hosts, engine, Form.OPTIONS, name);
    }

    static List<LinkJob> ofPlan(Scene scene, TestHosts hosts, LinkEngine engine, Form form, String name) {
        return Repetitions.isFull()
                ? ofEveryPlan(scene, hosts, form, name)
                : of(List.of(engine), scene, hosts, form, name);
    }

    private static List<LinkJob> of(List<LinkEngine> engines, Scene scene, TestHosts hosts, Form form, String name) {
        return engines.stream()
                .map(engine -> new LinkJob(scene, hosts, engine, form, name))
                .toList();
    }

    LinkEngine engine() {
        return engine;
    }

    String id() {
        return id;
    }

    /** Appends options of all launchers. */
    LinkJob with(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Leaves the last hosts out; for engines without a rank table. */
    LinkJob onTheFirst(int nodes) {
        places.subList(nodes, places.size()).clear();
        return this;
    }

    /** Makes this host that of node 0. The other nodes follow in the order of the hosts. */
    LinkJob from(int host) {
        for (int node = 0; node < places.size(); node++) {
            places.set(node, (host + node) % places.size());
        }
        return this;
    }

    /** Runs a launcher under another program, as root. */
    LinkJob behind(int launcher, String... words) {
        wrappers.put(launcher, words);
        return this;
    }

    /** Gives a launcher the index of another node. */
    LinkJob claims(int launcher, int index) {
        claimed.put(launcher, index);
        return this;
    }

    /** Gives a launcher a smaller number of nodes: the first ones only. */
    LinkJob sees(int launcher, int nodes) {
        seen.put(launcher, nodes);
        return this;
    }

    /** Gives a launcher another number of cards than one; for {@code pytorch-gpu}. */
    LinkJob hasCards(int launcher, int count) {
        cards.put(launcher, count);
        return this;
    }

    /** Calls a node's host by another name, or by an address. */
    LinkJob calls(int node, String name) {
        aliases.put(node, name);
        return this;
    }

    /**
     * Makes a shell script the training command. In it, {@code $notes} is a directory that all hosts share, {@code $me} is the
     * rank, {@code note WORD} writes a note of the rank, and {@code await WORD} waits until the test says the word.
     */
    LinkJob script(String... lines) {
        Path file = scene.beside("rank-" + id + ".sh");
        Scene.write(
                file,
                String.join("\n", "#!/bin/sh", engine.preamble(), notes.words(), String.join("\n", lines)) + "\n");
        file.toFile().setExecutable(true, false);
        return running(file.toString());
    }

    /** All ranks wait. One of them runs {@code does} when the test says {@code go}. */
    LinkJob whereOne(int rank, String does) {
        return script("[ $me != " + rank + " ] || { await go; " + does + "; }", "note waits", "exec sleep 600");
    }

    /** Runs {@code muster doctor} on each host instead of a launch. */
    LinkJob doctor() {
        verb = new String[] {"doctor"};
        return this;
    }

    LinkJob running(String... words) {
        command = words;
        return this;
    }

    LinkNotes notes() {
        return notes;
    }

    /** Says {@code go} to a rank. */
    void go(int rank) {
        notes.say("go", rank);
    }

    /** Waits until every rank has noted something. */
    LinkJob awaitNotes(String word) {
        notes.await(word, places.size(), () -> "launchers of " + id + " say " + messages());
        return this;
    }

    /** Waits until all ranks wait and all members are connected to the leader: an earlier loss would be another case. */
    LinkJob awaitConnected() {
        awaitNotes("waits");
        Await.until("the launchers are connected", () -> launched(0).connections() >= places.size() - 1);
        return this;
    }

    /** Waits until all nodes answer the leader: a connected member may not be admitted yet. */
    LinkJob awaitMet() {
        awaitConnected();
        Await.until("all nodes of " + id + " have met", () -> {
            Invocation top = scene.muster("top", "--once", "--job", id).behind(TestHost.AS_USER);
            Result result = host(0).here(top.set("HOME", TestHost.USER_HOME), TestHost.USER_HOME)
                    .run();
            return result.exitCode() == 0 && !result.output().contains("does not answer");
        });
        return this;
    }

    private List<String> messages() {
        return Arrays.stream(launchers).map(OnHost::messages).toList();
    }

    /** The launcher of a node, not yet started. */
    Invocation launcher(int node) {
        return on(node, scene.muster(verb).with("--engine", engine.id()));
    }

    /** The plan of a node. */
    JsonNode plan(int node) {
        Result result = on(node, scene.muster("plan", "--format", "json", "--engine", engine.id()))
                .run()
                .endedWith(0);
        return Json.parse(result.output()).path("nodes").path(0);
    }

    private Invocation on(int node, Invocation launcher) {
        launcher.with(options(node))
                .with("--")
                .with(command)
                .behind(TestHost.AS_USER)
                .behind(wrappers.getOrDefault(node, new String[0]))
                .set("HOME", TestHost.USER_HOME)
                .set(variables(node));
        return host(node).here(launcher, TestHost.USER_HOME);
    }

    OnHost start(int node) {
        return new OnHost(launcher(node).start());
    }

    /** Starts all launchers, node 0's last, and waits until all ranks wait and all members are connected. */
    LinkJob startAll() {
        return startOnly(IntStream.range(0, places.size()).toArray()).awaitConnected();
    }

    /** Starts the launchers of some nodes, the last one first. */
    LinkJob startOnly(int... nodes) {
        launchers = new OnHost[nodes.length];
        for (int index = nodes.length - 1; index >= 0; index--) {
            launchers[index] = start(nodes[index]);
        }
        return this;
    }

    /** Starts one more launcher and sorts it in by its node. */
    LinkJob startAlso(int node) {
        List<OnHost> all = new ArrayList<>(Arrays.asList(launchers));
        all.add(Math.min(node, all.size()), start(node));
        launchers = all.toArray(OnHost[]::new);
        return this;
    }

    boolean allRun() {
        return Arrays.stream(launchers).allMatch(OnHost::isRunning);
    }

    /** A started launcher, by its place among the started ones. */
    OnHost launched(int index) {
        return launchers[index];
    }

    /** All started launchers except one. */
    OnHost[] others(int index) {
        return IntStream.range(0, launchers.length)
                .filter(each -> each != index)
                .mapToObj(this::launched)
                .toArray(OnHost[]::new);
    }

    /** Demands the same exit code of all started launchers, and returns their results. */
    List<Result> end(int exitCode) {
        return end(exitCode, launchers);
    }

    List<Result> end(int exitCode, OnHost... some) {
        List<Result> results = Arrays.stream(some).map(OnHost::await).toList();
        assertThat(results.stream().map(Result::exitCode))
                .as("exit codes of %s, whose launchers ended so: %s", id, results)
                .containsOnly(exitCode);
        results.forEach(result -> result.endedWith(exitCode));
        return results;
    }

    /** Demands words of a launcher that has ended. */
    void launchedSays(int index, String... words) {
        assertThat(launchers[index].messages()).as("launcher of %s", id).contains(words);
    }

    /** How messages call a node. */
    String node(int index) {
        return "node " + index + " (" + aliases.getOrDefault(index, host(index).name()) + ")";
    }

    TestHost host(int node) {
        return hosts.get(places.get(node));
    }

    /** The {@code result.json} of a node. */
    JsonNode result(int node) {
        return Json.parse(host(node).read(TestHost.LOGS + "/" + id + "-node-" + node + "-result.json"));
    }

    private String[] options(int launcher) {
        List<String> words = new ArrayList<>(engine.options(scene, hosts));
        words.addAll(List.of("--log-dir", TestHost.LOGS, "--grace", "10s"));
        if (form == Form.OPTIONS) {
            int count = seen.getOrDefault(launcher, places.size());
            String index = Integer.toString(claimed.getOrDefault(launcher, launcher));
            words.addAll(List.of("--platform", "none", "--job-id", id, "--hosts", names(count)));
            words.addAll(List.of("--nodes", Integer.toString(count), "--node-index", index));
        } else {
            words.addAll(List.of("--workdir", TestHost.USER_HOME));
        }
        if (engine == LinkEngine.PYTORCH_GPU) {
            words.addAll(List.of("--cards", Integer.toString(cards.getOrDefault(launcher, 1))));
        }
        if (engine == LinkEngine.MPI) {
            // Several jobs run on one host: each needs a port of its own.
            words.addAll(List.of("--sshd-port", Integer.toString(30_000 + Math.floorMod(id.hashCode(), 2000))));
        }
        words.addAll(options);
        return words.toArray(String[]::new);
    }

    /** The names of the first hosts, with commas between. */
    private String names(int count) {
        return String.join(
                ",",
                IntStream.range(0, count)
                        .mapToObj(node -> aliases.getOrDefault(node, host(node).name()))
                        .toList());
    }

    /** The variables of the platform's container. */
    private Map<String, String> variables(int node) {
        Map<String, String> variables = new TreeMap<>();
        if (form == Form.PLATFORM) {
            variables.put("MA_HOME", TestHost.USER_HOME);
            variables.put("MA_MOUNT_PATH", TestHost.USER_HOME + "/modelarts");
            variables.put("MA_NUM_HOSTS", Integer.toString(places.size()));
            variables.put("MA_VJ_NAME", id);
            variables.put("MA_TASK_NAME", "worker");
            variables.put("MA_CURRENT_INSTANCE_NAME", id + "-worker-" + node);
            variables.put("MA_CURRENT_IP", host(node).address());
        }
        if (form == Form.MINDX_DL) {
            variables.put("XDL_IP", host(node).address());
        }
        if (form != Form.OPTIONS) {
            variables.put("VC_TASK_INDEX", Integer.toString(node));
            variables.put("VC_WORKER_NUM", Integer.toString(places.size()));
            variables.put("VC_WORKER_HOSTS", names(places.size()));
        }
        return variables;
    }
}
