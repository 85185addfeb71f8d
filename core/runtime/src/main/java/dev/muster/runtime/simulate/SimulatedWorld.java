package dev.muster.runtime.simulate;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.platform.SimulatedEnvironment;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The nodes of a simulated cluster on this machine, with all that platform and engine give them. It must live as long as the launchers
 * that the caller starts there.
 */
public final class SimulatedWorld implements AutoCloseable {

    /** A directory that root's sshd needs. In a real container the image has it. */
    private static final Path OF_SSHD = Path.of("/run/sshd");

    private final AddressBlock addresses;
    private final Ports ports;
    private final SimulatedCluster cluster;
    private final List<VirtualNode> nodes;
    private final Optional<SharedNetwork> shared;
    private final NodeLaunchers launchers;

    /**
     * What starts on a node.
     *
     * @param muster the command of Muster's own launcher there, without its training command
     * @param set variables of the node's container
     * @param removed variables of the caller that the container does not have
     * @param directory where its launcher starts
     */
    public record NodeStart(List<String> muster, Map<String, String> set, Set<String> removed, Path directory) {}

    /** Makes no files yet. */
    SimulatedWorld(ProcessInfo processInfo, Invocation invocation, BootFile boot, SimulationDirectory directory) {
        addresses = AddressBlock.reserve(processInfo.pid());
        ports = new Ports();
        EngineDescriptor engine = invocation.engine().descriptor();
        cluster = new ClusterLayout(invocation.settings(), engine, directory, addresses, ports).cluster();
        nodes = nodes(invocation, cluster);
        shared = nodes.size() == 1
                ? Optional.empty()
                : Optional.of(new SharedNetwork(directory.path(), ports.drawForOthers()));
        launchers = new NodeLaunchers(processInfo, invocation, boot, cluster, shared);
    }

    /**
     * A complete cluster, with all files, for a caller that starts the launchers itself.
     *
     * @param invocation the numbers of nodes and cards, the engine and the platform
     * @param directory of the nodes
     * @throws MusterException there is no such platform, or no place for the nodes
     */
    public static SimulatedWorld of(ProcessInfo processInfo, Invocation invocation, Path directory, Console console) {
        ClusterLayout.check(invocation.settings(), invocation.engine().descriptor(), invocation.platforms());
        SimulatedWorld world = new SimulatedWorld(
                processInfo,
                invocation,
                new BootFile(invocation.job(), Optional.empty()),
                new SimulationDirectory(directory, directory.getFileName() + "-" + processInfo.pid()));
        world.build(invocation, console);
        world.providedFiles().forEach(SimulatedWorld::write);
        return world;
    }

    /** Makes what exists when containers start: directories, but not yet the files of platform and engine. */
    void build(Invocation invocation, Console console) {
        if (invocation.engine().descriptor().logsIn()) {
            makeForSshd(console);
        }
        temporary().forEach(ClusterFiles::make);
        files(true).forEach(SimulatedWorld::write);
        nodes.forEach(
                node -> node.environment().directories().forEach(directory -> ClusterFiles.make(Path.of(directory))));
        shared.ifPresent(network -> network.prepare(nodes));
    }

    /** Directories that are removed with the simulation. */
    private Stream<Path> temporary() {
        return nodes.stream()
                .flatMap(node -> node.provision().temporaryDirectories().stream())
                .map(Path::of);
    }

    public List<NodeStart> nodes() {
        return nodes.stream().map(launchers::start).toList();
    }

    /** The address of node 0. */
    public String leader() {
        return nodes.get(0).node().address();
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    List<VirtualNode> virtualNodes() {
        return nodes;
    }

    LaunchPlan plan() {
        return launchers.plan(nodes);
    }

    /** Whether the platform gives a table, such as a rank table, with this content. */
    public boolean hasTables(Predicate<String> content) {
        return tables().values().stream().anyMatch(content);
    }

    /** Writes the platform's tables, changed by {@code form}. */
    public void writeTables(UnaryOperator<String> form) {
        tables().forEach((file, content) -> write(file, form.apply(content)));
    }

    /** Removes the platform's tables. */
    public void removeTables() {
        tables().keySet().forEach(file -> Directories.remove(Path.of(file)));
    }

    /** The files of controllers, which may come late. */
    Map<String, String> providedFiles() {
        return files(false);
    }

    /** @param areTemporary selects files that are removed with the simulation, such as keys */
    private Map<String, String> files(boolean areTemporary) {
        List<Path> temporary = temporary().toList();
        Map<String, String> files = new TreeMap<>();
        nodes.forEach(node -> files.putAll(node.provision().files()));
        files.keySet().removeIf(file -> temporary.stream().anyMatch(Path.of(file)::startsWith) != areTemporary);
        return files;
    }

    /** Files in JSON. */
    private Map<String, String> tables() {
        Map<String, String> tables = providedFiles();
        tables.values().removeIf(content -> !content.startsWith("{"));
        return tables;
    }

    private static void write(String file, String content) {
        ClusterFiles.write(Path.of(file), content);
    }

    @Override
    public void close() throws IOException {
        temporary().forEach(Directories::remove);
        ports.close();
        addresses.close();
    }

    /** What platform and engine give each node of a cluster. */
    private static List<VirtualNode> nodes(Invocation invocation, SimulatedCluster cluster) {
        List<NodeProvision> provisions = invocation.engine().ask(engine -> {
            List<NodeProvision> given = List.copyOf(engine.simulation(cluster));
            if (given.size() != cluster.nodes().size()) {
                throw new IllegalStateException("it provides for " + given.size() + " of "
                        + cluster.nodes().size() + " simulated nodes");
            }
            given.forEach(one -> requireInside(one, cluster));
            boolean needsKey = engine.descriptor().logsIn()
                    && given.size() > 1
                    && !cluster.options().containsKey(SimulatedKey.OPTION);
            return needsKey ? SimulatedKey.addedTo(given, cluster) : given;
        });
        List<VirtualNode> nodes = new ArrayList<>();
        for (int container = 0; container < cluster.nodes().size(); container++) {
            SimulatedNode node = cluster.nodes().get(container);
            SimulatedEnvironment environment = SimulatedPlatform.environment(cluster, node, invocation.platforms());
            nodes.add(new VirtualNode(node, environment, provisions.get(container)));
        }
        return nodes;
    }

    /** Refuses files elsewhere: the simulation must not write or remove them. */
    private static void requireInside(NodeProvision provision, SimulatedCluster cluster) {
        Stream.concat(provision.files().keySet().stream(), provision.temporaryDirectories().stream())
                .filter(path -> cluster.nodes().stream()
                        .noneMatch(node -> Path.of(path).normalize().startsWith(node.directory())))
                .findFirst()
                .ifPresent(path -> {
                    throw new IllegalStateException("it provides " + path + ", which is below no node's directory");
                });
    }

    private static void makeForSshd(Console console) {
        if (Files.isWritable(OF_SSHD.getParent()) && Files.notExists(OF_SSHD)) {
            try {
                Files.createDirectory(
                        OF_SSHD, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
                console.say("made " + OF_SSHD + ": the sshd of the nodes needs it");
            } catch (IOException e) {
                console.warn("cannot make " + OF_SSHD + ", which the sshd of the nodes needs: " + e);
            }
        }
    }
}
