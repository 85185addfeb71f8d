package dev.muster.runtime.simulate;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The network of virtual nodes on this machine. No DNS knows their names, and other jobs use the same ports.
 *
 * @param directory of the simulation
 * @param linkPort the port of the link, which nobody else uses
 */
record SharedNetwork(Path directory, int linkPort) {

    private static final String HOSTS = "hosts";

    /** Writes the hosts file, which gives launchers the address of each name. */
    void prepare(List<VirtualNode> nodes) {
        ClusterFiles.write(directory.resolve(HOSTS), hostsFile(nodes));
    }

    private static String hostsFile(List<VirtualNode> nodes) {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
        for (VirtualNode node : nodes) {
            text.append(node.node().address()).append(' ');
            text.append(String.join(" ", node.environment().hostNames())).append('\n');
        }
        return text.toString();
    }

    /** The file that {@link #prepare} writes. */
    String hosts() {
        return directory.resolve(HOSTS).toString();
    }

    /** The port of the link, unless the user chooses one. */
    List<String> options(Settings settings) {
        Option port = OptionTable.LINK_PORT;
        return settings.given(port).isPresent() ? List.of() : List.of(port.flag(), Integer.toString(linkPort));
    }
}
