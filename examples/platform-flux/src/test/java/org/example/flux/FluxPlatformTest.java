package org.example.flux;

import dev.muster.testkit.PlatformConformance;
import dev.muster.testkit.RecordedEvidence;
import java.util.List;
import java.util.Map;

/** What Flux tells at places that were recorded with {@code flux run -N NODES -n NODES env}. */
class FluxPlatformTest extends PlatformConformance {

    @Override
    protected String platformName() {
        return "flux";
    }

    @Override
    protected List<RecordedEvidence> recordings() {
        return List.of(
                task("f2Ly3Sh1", 1, 0).withCommand(FluxPlatform.HOSTS, "tuolumne1001\n"),
                task("f2Ly3Sh2", 4, 0).withCommand(FluxPlatform.HOSTS, "corona171,corona172,corona173,corona174\n"),
                task("f2Ly3Sh2", 4, 3).withCommand(FluxPlatform.HOSTS, "corona171,corona172,corona173,corona174\n"),
                task("\u01922Ly3Sh3", 2, 1));
    }

    private static RecordedEvidence task(String job, int nodes, int rank) {
        return RecordedEvidence.of(
                "task " + rank + " of " + nodes,
                Map.of(
                        "FLUX_JOB_ID", job,
                        "FLUX_JOB_SIZE", Integer.toString(nodes),
                        "FLUX_JOB_NNODES", Integer.toString(nodes),
                        "FLUX_TASK_RANK", Integer.toString(rank),
                        "FLUX_TASK_LOCAL_ID", "0",
                        "FLUX_URI", "local:///run/flux/local",
                        "FLUX_KVS_NAMESPACE", "job-1"),
                Map.of(
                        "job-id", "flux-" + job.replace('\u0192', 'f'),
                        "nodes", Integer.toString(nodes),
                        "node-index", Integer.toString(rank)));
    }
}
