package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** What some tests need of the machine. Where it is missing they are skipped; in CI they fail. */
final class Components {

    private static final Path SELF = Path.of("/proc/self");

    /** Commands that may fail for root: in a container with fewer rights, or where other users cannot read the checkout. */
    private static final Map<String, List<String>> TRIALS = Map.of(
            "unshare",
            List.of("unshare", "--mount", "--uts", "--ipc", "--net", "--pid", "--fork", "--mount-proc", "true"),
            "setpriv",
            List.of(
                    "setpriv",
                    "--reuid",
                    "65534",
                    "--regid",
                    "65534",
                    "--clear-groups",
                    "test",
                    "-x",
                    Product.startScript(Product.home()).toString()));

    private static final Path SSHD_DIRECTORY = Path.of("/run/sshd");
    private static final Map<String, String> PROBLEMS = new ConcurrentHashMap<>();

    private Components() {}

    /** Demands programs. A program that needs rights must also pass its trial, if root runs the tests. */
    static void require(String... programs) {
        for (String program : programs) {
            demand(isInstalled(program), program + " is not installed");
            String problem = problem(program);
            demand(problem.isEmpty(), problem);
        }
    }

    /** Whether namespaces can be made: containers are often not allowed to. */
    static boolean canMakeNamespaces() {
        return isRoot() && isInstalled("unshare") && problem("unshare").isEmpty();
    }

    private static String problem(String program) {
        List<String> trial = TRIALS.get(program);
        return trial == null || !isRoot() ? "" : PROBLEMS.computeIfAbsent(program, any -> tryOut(trial));
    }

    /** The problem of a command that does not end with 0; empty if it succeeds. */
    private static String tryOut(List<String> trial) {
        ProcessBuilder builder = new ProcessBuilder(trial).redirectErrorStream(true);
        builder.environment().put("PATH", Invocation.PATH);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : "not possible here: " + String.join(" ", trial) + ": " + said.strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while trying " + trial, interrupted);
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
        // A simulated host, which needs namespaces, has this directory of its own.
        demand(
                !isRoot() || Files.isDirectory(SSHD_DIRECTORY) || canMakeNamespaces(),
                "root's sshd needs " + SSHD_DIRECTORY + ", which is not there");
        return python("muster.mpi.python", "mpi4py");
    }

    /** Demands MkDocs, and gives the Python that has it. */
    static String requireMkDocs() {
        return python("muster.mkdocs.python", "MkDocs");
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
