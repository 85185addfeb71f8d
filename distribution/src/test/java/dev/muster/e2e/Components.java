package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** What some tests need of the machine. Where it is missing they do not run; in CI, where it must not be missing, they fail. */
final class Components {

    private static final Path SELF = Path.of("/proc/self");

    private Components() {}

    /** Demands programs. */
    static void require(String... programs) {
        for (String program : programs) {
            demand(isInstalled(program), program + " is not installed");
        }
    }

    /** Demands PyTorch, and gives the Python that has it. */
    static String requireTorch() {
        return python("muster.torch.python", "PyTorch");
    }

    /** Demands TensorFlow, and gives the Python that has it. */
    static String requireTensorFlow() {
        return python("muster.tensorflow.python", "TensorFlow");
    }

    /** Demands Open MPI and a ssh server, and gives the Python that has mpi4py. */
    static String requireMpi() {
        require("mpirun", "sshd", "ssh");
        return python("muster.mpi.python", "mpi4py");
    }

    /** Demands Slurm's daemons and programs, and the rights to make a cluster of them. */
    static void requireSlurm() {
        requireRoot();
        demand(
                !System.getProperty("muster.slurm", "").isEmpty(),
                "no Slurm here: ./verify installs it where it can, and says why not");
        require("slurmctld", "slurmd", "srun", "munged", "ip", "unshare", "nsenter");
    }

    private static String python(String property, String framework) {
        String python = System.getProperty(property, "");
        demand(!python.isEmpty(), "no " + framework + " here: ./verify installs it where it can, and says why not");
        return python;
    }

    /** Demands the rights to make namespaces and to change users. */
    static void requireRoot() {
        demand(isRoot(), "this test needs root");
    }

    static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static boolean isInstalled(String program) {
        for (String directory : Invocation.PATH.split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    private static void demand(boolean there, String problem) {
        if (!there && "true".equals(System.getenv("CI"))) {
            throw new AssertionError(problem);
        }
        Assumptions.assumeTrue(there, problem);
    }
}
