package dev.muster.runtime.simulate;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * Virtual nodes that share this machine's network: their names lead nowhere, and their ports are also those of other jobs.
 *
 * @param directory of the simulation
 * @param linkPort where the launchers meet, and nobody else does
 */
record SharedNetwork(Path directory, int linkPort) {

    private static final String HOSTS = "hosts";

    /** Tells launchers which address belongs to which name. */
    void prepare(List<VirtualNode> nodes) {
        ClusterFiles.write(directory.resolve(HOSTS), hostsFile(nodes));
    }

    private static String hostsFile(List<VirtualNode> nodes) {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
        for (VirtualNode node : nodes) {
            text.append(node.node().address()).append(' ');
            text.append(String.join(" ", node.resolved().hostNames())).append('\n');
        }
        return text.toString();
    }

    /** What {@link #prepare} writes. */
    String hosts() {
        return directory.resolve(HOSTS).toString();
    }

    /** The port of the link, unless the user chooses one. */
    List<String> options(Settings settings) {
        Option port = OptionTable.LINK_PORT;
        return settings.given(port).isPresent() ? List.of() : List.of(port.flag(), Integer.toString(linkPort));
    }
}
