package dev.muster.e2e;

import dev.muster.spi.Evidence;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A third party's platform: {@code CLOUD_HOSTS} names the nodes. {@code CLOUD_LIE} makes it throw, exit or hang instead. */
public final class CloudPlatform implements Platform {

    static {
        System.out.println("muster: the cloud's class is loaded");
    }

    @Override
    public String name() {
        return "cloud";
    }

    @Override
    public String title() {
        return "a cloud for tests";
    }

    @Override
    public List<String> variables() {
        return List.of("CLOUD_*");
    }

    @Override
    public Optional<String> sign(Evidence evidence) {
        lie(evidence, "sign");
        return Optional.of("set: CLOUD_HOSTS");
    }

    @Override
    public PlatformInfo read(Evidence evidence) throws PlanException {
        lie(evidence, "read");
        String hosts = evidence.environment().get("CLOUD_HOSTS");
        if (hosts == null) {
            throw new PlanException(PlanException.Kind.CONFIGURATION, "CLOUD_HOSTS is not set. Set it");
        }
        List<Host> all = Stream.of(hosts.split(",", -1))
                .map(host -> Host.of(host, Optional.empty()))
                .toList();
        String index = evidence.environment().getOrDefault("CLOUD_INDEX", "0");
        return PlatformInfo.of(PlatformContract.named("cloud"))
                .option("job-id", new OptionValue("cloud-7", "CLOUD_JOB"))
                .option("nodes", new OptionValue(Integer.toString(all.size()), "CLOUD_HOSTS"))
                .option("node-index", new OptionValue(index, "CLOUD_INDEX"))
                .hosts(all)
                .build();
    }

    private static void lie(Evidence evidence, String where) {
        String lie = evidence.environment().getOrDefault("CLOUD_LIE", "");
        if (lie.equals(where + " throws")) {
            throw new IllegalStateException("oops");
        } else if (lie.equals(where + " exits")) {
            System.exit(0);
        }
        while (lie.equals(where + " hangs")) {
            LockSupport.park();
        }
    }
}
