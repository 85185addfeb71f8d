package dev.muster.runtime.simulate;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.platform.PlatformCatalog;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.OptionValue;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes of a simulated cluster, or its containers if each role has its own, and what each of them gets.
 *
 * @param ports gives each node as many ports as the engine wants; must live as long as the job
 */
record ClusterLayout(
        Settings settings,
        EngineDescriptor engine,
        SimulationDirectory directory,
        AddressBlock addresses,
        Ports ports) {

    private static final String PLATFORM_OF_ROLES = "modelarts";
    private static final String PLATFORM_WITHOUT_ROLES = "none";

    /** The option of engines with roles, and its value for one role in each container. */
    private static final String SHAPE = "shape";

    private static final String ROLE = "role";
    private static final String PROCESSES = "processes";
    private static final String USUAL_ROLE = "worker";

    /** @throws MusterException there are not enough loopback addresses, or the platform cannot have roles */
    static void check(Settings settings, EngineDescriptor engine, PlatformCatalog platforms) {
        int nodes = number(settings, OptionTable.NODES);
        int cards = number(settings, OptionTable.CARDS);
        int containers = nodes * Math.max(1, roles(settings, engine).size());
        if (containers > AddressBlock.MAX_NODES || (long) containers * cards > AddressBlock.MAX_CARDS) {
            throw MusterException.usage("--nodes " + nodes + " --cards " + cards + " is too large to simulate: at most "
                    + AddressBlock.MAX_NODES + " nodes and " + AddressBlock.MAX_CARDS + " cards in all");
        }
        String platform = platform(settings, engine);
        List<String> names = SimulatedPlatform.names(platforms);
        if (!names.contains(platform)) {
            throw Settings.refusal(
                    settings.given(OptionTable.PLATFORM).orElseThrow(),
                    "cannot be simulated: only " + String.join(" and ", names) + " can");
        }
        if (!roles(settings, engine).isEmpty() && platform.equals(PLATFORM_WITHOUT_ROLES)) {
            throw MusterException.usage("without a platform nobody tells a container its role; leave out --platform "
                    + PLATFORM_WITHOUT_ROLES + ", or " + SHAPE + "=" + ROLE);
        }
    }

    SimulatedCluster cluster() {
        String platform = platform(settings, engine);
        String begin = platform.equals(PLATFORM_OF_ROLES) ? "modelarts-job-" : "simulation-";
        String jobId = settings.given(OptionTable.JOB_ID).map(Setting::value).orElse(begin + directory.id());
        List<Optional<String>> roles =
                roles(settings, engine).stream().map(Optional::of).toList();
        List<SimulatedNode> nodes = new ArrayList<>();
        for (Optional<String> role : roles.isEmpty() ? List.of(Optional.<String>empty()) : roles) {
            for (int index = 0; index < number(settings, OptionTable.NODES); index++) {
                nodes.add(node(jobId, nodes.size(), index, role));
            }
        }
        int cards = number(settings, OptionTable.CARDS);
        return new SimulatedCluster(jobId, platform, cards, nodes, options(platform));
    }

    private static int number(Settings settings, Option option) {
        return settings.number(option).orElse(1);
    }

    /** The options as the nodes' launchers get them: ModelArts starts scripts once for each node. */
    private Map<String, OptionValue> options(String platform) {
        Map<String, OptionValue> options = new TreeMap<>(settings.engineOptions());
        boolean isOncePerNode = platform.equals(PLATFORM_OF_ROLES)
                && settings.given(PROCESSES).isEmpty()
                && engine.options().stream()
                        .anyMatch(option -> option.name().equals(PROCESSES)
                                && option.choices().contains("per-node"));
        if (isOncePerNode) {
            options.put(PROCESSES, new OptionValue("per-node", platform));
        }
        return options;
    }

    /** @param container its index over all roles */
    private SimulatedNode node(String jobId, int container, int index, Optional<String> role) {
        int cards = number(settings, OptionTable.CARDS);
        List<String> cardAddresses = new ArrayList<>();
        for (int card = 0; card < cards; card++) {
            cardAddresses.add(addresses.ofCard(container * cards + card));
        }
        List<Integer> drawn = new ArrayList<>();
        for (int port = 0; port < engine.simulatedPorts(); port++) {
            drawn.add(ports.drawForOthers());
        }
        return new SimulatedNode(
                index,
                role,
                jobId + "-" + role.orElse(USUAL_ROLE) + "-" + index,
                addresses.ofNode(container),
                directory.path().resolve(VirtualNode.id(index, role)).toString(),
                cardAddresses,
                drawn);
    }

    private static List<String> roles(Settings settings, EngineDescriptor engine) {
        Optional<OptionValue> shape =
                Optional.ofNullable(settings.engineOptions().get(SHAPE));
        return shape.filter(given -> given.value().equals(ROLE)).isPresent() ? engine.roles() : List.of();
    }

    /** The platform; with roles ModelArts, because without a platform a container does not learn its role. */
    private static String platform(Settings settings, EngineDescriptor engine) {
        return settings.given(OptionTable.PLATFORM)
                .map(Setting::value)
                .filter(name -> !name.equals("auto"))
                .orElse(roles(settings, engine).isEmpty() ? PLATFORM_WITHOUT_ROLES : PLATFORM_OF_ROLES);
    }
}
