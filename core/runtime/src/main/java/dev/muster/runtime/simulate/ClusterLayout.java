package dev.muster.runtime.simulate;

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

/** Which nodes a simulated cluster has, or which containers where every role has its own, and what each of them gets. */
final class ClusterLayout {

    private static final String PLATFORM_OF_ROLES = "modelarts";
    private static final String PLATFORM_WITHOUT_ROLES = "none";

    /** An option of engines that have roles, and its value where every container has one. */
    private static final String SHAPE = "shape";

    private static final String ROLE = "role";
    private static final String USUAL_ROLE = "worker";

    private final Settings settings;
    private final EngineDescriptor engine;
    private final String platform;
    private final String jobId;
    private final SimulationDirectory directory;
    private final AddressBlock addresses;
    private final Ports ports;
    private final int count;
    private final int cards;
    private final List<SimulatedNode> nodes = new ArrayList<>();

    /** @param ports from which every node gets as many as the engine wants; must live as long as the job */
    ClusterLayout(
            Settings settings,
            EngineDescriptor engine,
            SimulationDirectory directory,
            AddressBlock addresses,
            Ports ports) {
        this.settings = settings;
        this.engine = engine;
        this.platform = platform(settings, engine);
        this.jobId = settings.given(OptionTable.JOB_ID)
                .map(Setting::value)
                .orElse((platform.equals(PLATFORM_OF_ROLES) ? "modelarts-job-" : "simulation-") + directory.id());
        this.directory = directory;
        this.addresses = addresses;
        this.ports = ports;
        this.count = settings.number(OptionTable.NODES).orElse(1);
        this.cards = settings.number(OptionTable.CARDS).orElse(1);
    }

    /** @throws MusterException when there are not so many loopback addresses, or there cannot be roles */
    static void check(Settings settings, EngineDescriptor engine, PlatformCatalog platforms) {
        int nodes = settings.number(OptionTable.NODES).orElse(1);
        int cards = settings.number(OptionTable.CARDS).orElse(1);
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
        List<String> roles = roles(settings, engine);
        for (String role : roles) {
            for (int index = 0; index < count; index++) {
                add(index, Optional.of(role));
            }
        }
        for (int index = 0; roles.isEmpty() && index < count; index++) {
            add(index, Optional.empty());
        }
        return new SimulatedCluster(jobId, platform, cards, nodes, options());
    }

    /** As the launchers of the nodes will have them. */
    private Map<String, OptionValue> options() {
        Map<String, OptionValue> options = new TreeMap<>(settings.engineOptions());
        SimulatedPlatform.options(platform, engine).forEach((name, value) -> {
            if (settings.given(name).isEmpty()) {
                options.put(name, value);
            }
        });
        return options;
    }

    private void add(int index, Optional<String> role) {
        int container = nodes.size();
        List<String> cardAddresses = new ArrayList<>();
        for (int card = 0; card < cards; card++) {
            cardAddresses.add(addresses.ofCard(container * cards + card));
        }
        List<Integer> drawn = new ArrayList<>();
        for (int port = 0; port < engine.simulatedPorts(); port++) {
            drawn.add(ports.drawForOthers());
        }
        nodes.add(new SimulatedNode(
                index,
                role,
                jobId + "-" + role.orElse(USUAL_ROLE) + "-" + index,
                addresses.ofNode(container),
                directory.path().resolve(VirtualNode.id(index, role)).toString(),
                cardAddresses,
                drawn));
    }

    private static List<String> roles(Settings settings, EngineDescriptor engine) {
        Optional<OptionValue> shape =
                Optional.ofNullable(settings.engineOptions().get(SHAPE));
        return shape.filter(given -> given.value().equals(ROLE)).isPresent() ? engine.roles() : List.of();
    }

    /** Without a platform nobody tells a container its role. */
    private static String platform(Settings settings, EngineDescriptor engine) {
        return settings.given(OptionTable.PLATFORM)
                .map(Setting::value)
                .filter(name -> !name.equals("auto"))
                .orElse(roles(settings, engine).isEmpty() ? PLATFORM_WITHOUT_ROLES : PLATFORM_OF_ROLES);
    }
}
