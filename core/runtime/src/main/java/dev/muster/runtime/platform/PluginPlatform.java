package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.plugins.PluginCaller;
import dev.muster.runtime.plugins.PluginJar;
import dev.muster.runtime.plugins.PluginListener;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Evidence;
import dev.muster.spi.Platform;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.PlatformInfo;
import dev.muster.spi.SimulatedCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A platform of a plugin, as its jar declares it. No class of it is loaded unless one of its sign variables is set, or the user
 * names it.
 */
final class PluginPlatform implements Platform {

    static final String ATTRIBUTE = "Muster-Platform";
    private static final String SIGNS = "Muster-Platform-Signs";

    private final PluginJar.Card card;
    private final PluginJar jar;
    private final PluginCaller caller;

    PluginPlatform(PluginJar.Card card, PluginJar jar, PluginListener listener) {
        this.card = card;
        this.jar = jar;
        this.caller = new PluginCaller("platform", card.id(), jar, listener);
    }

    @Override
    public String name() {
        return card.id();
    }

    @Override
    public String title() {
        return Printable.escape(card.summary() + " (" + jar.place() + ")");
    }

    /** The sign variables that the jar names. The plugin's code may read more. */
    @Override
    public List<String> variables() {
        return jar.list(SIGNS);
    }

    @Override
    public Optional<String> sign(Evidence evidence) {
        boolean mayBeHere = evidence.environment().entrySet().stream()
                .anyMatch(each -> !each.getValue().isEmpty() && PlatformContract.matches(variables(), each.getKey()));
        return mayBeHere
                ? caller.call(() -> code().sign(evidence)).map(new Secrets(List.of())::hide)
                : Optional.empty();
    }

    @Override
    public PlatformInfo read(Evidence evidence) {
        PlatformInfo info = caller.call(() -> code().read(evidence));
        if (!info.contract().name().equals(name())) {
            throw caller.broken(
                    "its contract is that of platform " + info.contract().name());
        }
        requireNodes(evidence, info);
        return info;
    }

    /** Refuses a platform that tells no number of nodes: one node would be a wrong guess in a cluster. */
    private void requireNodes(Evidence evidence, PlatformInfo info) {
        String nodes = OptionTable.NODES.name();
        boolean isSaid = evidence.option(nodes).isPresent()
                || evidence.option(OptionTable.HOSTS.name()).isPresent();
        if (!isSaid
                && !info.options().containsKey(nodes)
                && info.hosts().isEmpty()
                && info.refusals().isEmpty()) {
            throw MusterException.configuration("platform " + name() + " (" + jar.place()
                    + ") does not say how many nodes the job has. Give --nodes N and --node-index I");
        }
    }

    @Override
    public Map<String, String> simulation(SimulatedCluster cluster, SimulatedCluster.SimulatedNode node) {
        return caller.call(() -> code().simulation(cluster, node));
    }

    /** What users should know about its jars. */
    List<String> warnings() {
        return jar.warnings();
    }

    private Platform code() {
        for (Platform platform : ServiceLoader.load(Platform.class, jar.loader())) {
            if (platform.name().equals(name())) {
                return platform;
            }
        }
        throw caller.broken("it declares platform " + name() + ", and brings no such platform");
    }
}
