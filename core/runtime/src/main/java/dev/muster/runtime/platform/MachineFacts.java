package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.spi.NodeInfo;
import java.nio.file.Path;

/**
 * Asks the kernel what machine this is. Nobody is asked over the network.
 */
public final class MachineFacts {

    private static final String UNKNOWN_HOST = "localhost";
    private static final String UID = "\nUid:\t";

    private final MachineFiles files;
    private final Environment environment;

    /** @param root stands for {@code /} in tests */
    public MachineFacts(Path root, Environment environment) {
        this.files = new MachineFiles(root);
        this.environment = environment;
    }

    public NodeInfo read() {
        return new NodeInfo(
                hostName(),
                InterfaceAddresses.read(),
                uid(),
                environment.value("HOME"),
                Runtime.getRuntime().availableProcessors());
    }

    private String hostName() {
        String name = text("/proc/sys/kernel/hostname");
        if (name.isEmpty()) {
            name = text("/etc/hostname");
        }
        return name.isEmpty() ? environment.value("HOSTNAME").orElse(UNKNOWN_HOST) : name;
    }

    /** The effective user id, the second of the four in the line; -1 without {@code /proc}. */
    private int uid() {
        String status = "\n" + text("/proc/self/status");
        int line = status.indexOf(UID);
        if (line < 0) {
            return -1;
        }
        int start = status.indexOf('\t', line + UID.length()) + 1;
        return Integer.parseInt(status.substring(start, status.indexOf('\t', start)));
    }

    /** A file of the kernel; empty: it is not there. */
    private String text(String file) {
        return files.text(file).orElse("").strip();
    }
}
