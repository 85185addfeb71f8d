package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.PlatformContract;
import dev.muster.testkit.runtime.EngineTestJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A job under mpirun on a node. */
final class TestJob extends EngineTestJob<TestJob> {

    private final List<String> programs = new ArrayList<>(List.of("mpirun", "sshd", "horovodrun"));
    private List<String> keys = List.of("id_rsa");
    private String version = "mpirun (Open MPI) 4.1.4\n";

    TestJob() {
        super(new MpiEngine());
        machine("box", 1000);
    }

    /** A node of a ModelArts job. The hosts are {@code vj-worker-I.vj}. */
    static TestJob onModelArts(int index, int count) {
        return new TestJob()
                .modelArts()
                .variable("MA_VJ_NAME", "vj")
                .variable("MA_TASK_NAME", "worker")
                .variable("MA_NUM_HOSTS", Integer.toString(count))
                .nodes(count)
                .hosts(IntStream.range(0, count)
                        .mapToObj(i -> "vj-worker-" + i + ".vj")
                        .toArray(String[]::new))
                .index(index);
    }

    TestJob modelArts() {
        return platform(PlatformContract.named("modelarts")
                .withRendezvousPort(6666)
                .withLocalVariables(List.of("MA_CURRENT_HOST_IP", "VC_TASK_INDEX"))
                .withIndexVariables(List.of("MA_TASK_INDEX", "VC_TASK_INDEX")));
    }

    /** A platform with a resource manager that MPI libraries support. */
    TestJob managedBy(String manager) {
        return platform(PlatformContract.named("managed").withResourceManager(manager));
    }

    /** A container of a job with a ps and two workers. The platform runs the command and an sshd in each container. */
    static TestJob onServed(String role, int index) {
        List<Host> workers = List.of(served("worker-0", 1), served("worker-1", 2));
        TestJob job = new TestJob()
                .option("sshd", "platform", "DLWS_ROLE_NAME")
                .option("hostfile", "/job/hostfile", "DLWS_JOB_ID")
                .file("/job/hostfile", "worker-0 slots=2\nworker-1 slots=2\n")
                .hosts(workers)
                .hostsOf("worker", workers)
                .hostsOf("ps", List.of(served("ps-0", 3)))
                .role(role)
                .name(role + "-" + index, "DLWS_ROLE_NAME");
        return role.equals("worker") ? job.node(index, 2) : job;
    }

    private static Host served(String name, int number) {
        return Host.of(name, Optional.of("10.0.0." + number));
    }

    TestJob machine(String hostName, int uid) {
        return machine(new NodeInfo(hostName, List.of("10.1.1.1", "127.0.0.1"), uid, Optional.of("/home/user"), 4));
    }

    TestJob without(String program) {
        programs.remove(program);
        return this;
    }

    TestJob mpi(String text) {
        version = text;
        return this;
    }

    TestJob keys(String... names) {
        keys = List.of(names);
        return this;
    }

    TestJob file(String path, String content) {
        return input(path, new InputValue.Text(path, content));
    }

    @Override
    protected Optional<InputValue> value(Input input) {
        if (input instanceof Input.Program program) {
            return Optional.of(program.name())
                    .filter(programs::contains)
                    .map(name -> new InputValue.Program("/usr/bin/" + name));
        }
        if (input instanceof Input.CommandOutput) {
            return Optional.of(new InputValue.CommandOutput(0, version));
        }
        if (input instanceof Input.Listing listing) {
            return Optional.of(new InputValue.Text(listing.path(), String.join("\n", keys)));
        }
        return value(((Input.TextFile) input).path());
    }
}
