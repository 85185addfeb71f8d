package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A job of the engine {@code mpi} on {@link TestHosts}. Each host is a container of ModelArts. */
final class MpiJob {

    /** For a rank that must get SIGTERM only once: a process that is younger than 0.1 s may get it twice. */
    static final String READY = "sleep 0.3; : > $notes/ready-$me";

    /** The slots that ModelArts gives each container. */
    private static final int SLOTS = 2;

    private final Scene scene;
    private final TestHosts hosts;
    private final List<String> options = new ArrayList<>();
    private final List<String> command = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private boolean asRoot;
    private int nodes;

    private MpiJob(Scene scene, TestHosts hosts) {
        this.scene = scene;
        this.hosts = hosts;
        nodes = hosts.count();
        with("--engine", "mpi");
    }

    /** A job with two slots on each of {@code count} new hosts. It runs as the user of ModelArts' containers. */
    static MpiJob onHosts(Scene scene, int count) {
        Components.requireMpi();
        TestHosts hosts = TestHosts.in(scene, count);
        try {
            // Ranks of any user leave notes here.
            Path notes = Files.createDirectory(scene.beside("notes"));
            Files.setPosixFilePermissions(notes, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return new MpiJob(scene, hosts);
    }

    TestHosts hosts() {
        return hosts;
    }

    TestHost host(int index) {
        return hosts.get(index);
    }

    /** Uses only the first {@code count} hosts. The others are spare, for containers that replace lost ones. */
    MpiJob over(int count) {
        nodes = count;
        return this;
    }

    /** Appends options of the launcher. */
    MpiJob with(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Sets a variable of all containers. */
    MpiJob set(String name, String value) {
        environment.put(name, value);
        return this;
    }

    MpiJob asRoot() {
        asRoot = true;
        return this;
    }

    /** Sets the training command. */
    MpiJob running(String... words) {
        command.clear();
        command.addAll(List.of(words));
        return this;
    }

    /**
     * Makes a shell script the training command. In it, {@code $notes} is a directory that all hosts share, and {@code $me} is
     * the rank.
     */
    MpiJob script(String... lines) {
        Path file = scene.beside("rank.sh");
        Scene.write(
                file,
                "#!/bin/sh\nnotes=" + scene.beside("notes") + "\nme=$OMPI_COMM_WORLD_RANK\n" + String.join("\n", lines)
                        + "\n");
        file.toFile().setExecutable(true, false);
        return running(file.toString());
    }

    /** What a rank has noted. */
    Path note(String name) {
        return scene.beside("notes").resolve(name);
    }

    /** Waits for one note of every rank: {@code prefix-0}, {@code prefix-1} and so on. */
    void awaitNotes(String prefix) {
        scene.awaitFiles(Scene.each("notes/" + prefix + "-", ranks()));
    }

    /** Asserts that each of the first {@code count} ranks has noted one SIGTERM in {@code told}. */
    void assertToldOnce(int count, List<Result> results) {
        for (String name : Scene.each("told-", count)) {
            assertThat(note(name)).as("launchers ended: %s", results).hasContent("TERM");
        }
    }

    /** Asserts one note of every rank. The message has the results of the launchers, which say why a note is missing. */
    void assertNotes(String prefix, List<Result> results) {
        for (String name : Scene.each(prefix + "-", ranks())) {
            assertThat(note(name)).as("launchers ended: %s", results).exists();
        }
    }

    int ranks() {
        return SLOTS * nodes;
    }

    /** The launcher of one container, not yet started. */
    Invocation launcher(int index) {
        return hosts.get(index).here(command(index, index), TestHost.USER_HOME);
    }

    /** Runs another command of Muster's in a container, as the job's user. */
    Result ask(int host, String... words) {
        Invocation command = scene.muster(words).behind(asRoot ? new String[0] : TestHost.AS_USER);
        return hosts.get(host)
                .here(command.set("HOME", TestHost.USER_HOME), TestHost.USER_HOME)
                .run();
    }

    /** Starts the launcher of a node in a new container: another host, which takes over the node's name. */
    OnHost startInPlaceOf(int node, int host) {
        String name = hosts.get(node).name();
        hosts.all().forEach(each -> {
            each.forgets(name);
            each.learns(
                    name + " " + hosts.get(node).shortName(), hosts.get(host).address());
        });
        hosts.get(host).shell("hostname " + hosts.get(node).shortName());
        return new OnHost(
                hosts.get(host).here(command(node, host), TestHost.USER_HOME).start());
    }

    /** Starts the launcher of one container. */
    OnHost start(int index) {
        return new OnHost(launcher(index).start());
    }

    /** Starts the launcher of one container as its first process. */
    OnHost startAsFirstProcess(int index) {
        return new OnHost(hosts.get(index)
                .hereAsFirstProcess(command(index, index), TestHost.USER_HOME)
                .start());
    }

    /** Starts all launchers, the last container's first. */
    OnHost[] startAll() {
        OnHost[] started = new OnHost[nodes];
        for (int index = started.length - 1; index >= 0; index--) {
            started[index] = start(index);
        }
        return started;
    }

    /** Runs the whole job, asserts one exit code of all launchers, and that nothing is left. Returns their results. */
    List<Result> run(int exitCode) {
        return end(exitCode, startAll());
    }

    /** Asserts one exit code of started launchers, and that nothing is left on any host. */
    List<Result> end(int exitCode, OnHost... started) {
        // A launcher that ended with another code shows why the others have not ended.
        List<Result> results = Arrays.stream(started)
                .map(launcher -> launcher.await().endedWith(exitCode))
                .toList();
        hosts.assertNothingIsLeft();
        return results;
    }

    private Invocation command(int index, int host) {
        Invocation invocation =
                scene.muster(options.toArray(String[]::new)).with("--").with(command.toArray(String[]::new));
        if (!asRoot) {
            invocation.behind(TestHost.AS_USER);
        }
        return invocation
                .set("HOME", asRoot ? "/root" : TestHost.USER_HOME)
                .set(container(index, host))
                .set(environment);
    }

    /** The variables of ModelArts' container. */
    private Map<String, String> container(int index, int place) {
        TestHost host = hosts.get(place);
        Map<String, String> variables = new TreeMap<>();
        variables.put("MA_HOME", TestHost.USER_HOME);
        variables.put("MA_MOUNT_PATH", TestHost.USER_HOME + "/modelarts");
        variables.put("MA_NUM_HOSTS", Integer.toString(nodes));
        variables.put("MA_NUM_GPUS", Integer.toString(SLOTS));
        variables.put("MA_VJ_NAME", TestHosts.JOB);
        variables.put("MA_TASK_NAME", "worker");
        variables.put("MA_CURRENT_INSTANCE_NAME", hosts.get(index).shortName());
        variables.put("MA_CURRENT_IP", host.address());
        variables.put("MA_CURRENT_HOST_IP", "192.168.0." + (20 + index));
        variables.put("VC_TASK_INDEX", Integer.toString(index));
        variables.put("VK_TASK_INDEX", Integer.toString(index));
        variables.put("VC_WORKER_NUM", Integer.toString(nodes));
        variables.put(
                "VC_WORKER_HOSTS",
                String.join(",", hosts.all().limit(nodes).map(TestHost::name).toList()));
        return variables;
    }
}
