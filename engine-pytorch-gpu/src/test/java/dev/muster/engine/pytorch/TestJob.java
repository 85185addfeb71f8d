package dev.muster.engine.pytorch;

import dev.muster.spi.Host;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import dev.muster.testkit.runtime.EngineTestJob;
import java.util.List;
import java.util.Optional;

/** A PyTorch job on a node. */
final class TestJob extends EngineTestJob<TestJob> {

    TestJob() {
        super(new PyTorchEngine());
        variable("OMP_NUM_THREADS", "3").id("job-7").command("python3", "a b.py", "--lr=0.1");
        places(new JobDirectories("/work", false, "/log", Optional.empty())).cores(16);
    }

    TestJob processes(String value) {
        return option("processes", value);
    }

    TestJob onModelArts() {
        platform(PlatformContract.named("modelarts").withRendezvousPort(6666))
                .places(new JobDirectories("/m/workspace", true, "/m/log", Optional.of("/m/rank_table")));
        boolean isGiven = spec().option("processes")
                .filter(given -> !given.origin().equals("default"))
                .isPresent();
        return isGiven ? this : option("processes", "per-node", "modelarts");
    }

    /** A platform that sets torchrun's variables, and leaves the number of nodes open. */
    TestJob elastic() {
        return platform(PlatformContract.named("elastic").withVariables("PET_RDZV_ENDPOINT", "PET_NNODES"))
                .processes("torchrun")
                .variable("PET_RDZV_ENDPOINT", "job-worker-0:23456")
                .variable("PET_RDZV_BACKEND", "c10d")
                .variable("PET_NNODES", "1:3")
                .elastic(new OptionValue("1:3", "PET_RDZV_ENDPOINT"))
                .variable("PET_MAX_RESTARTS", "10")
                .variable("PET_NPROC_PER_NODE", "auto");
    }

    TestJob host(String name, String address) {
        return hosts(List.of(Host.of(name, Optional.of(address)), Host.of("other", Optional.empty())));
    }

    TestJob cores(int usable) {
        return machine(new NodeInfo(
                "box", List.of("10.1.1.1", "fd00::1", "127.0.0.1", "::1"), 1000, Optional.empty(), usable));
    }

    /** The command line of the first process. */
    List<String> words() {
        return words(plan());
    }
}
