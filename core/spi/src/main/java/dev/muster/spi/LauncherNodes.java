package dev.muster.spi;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The launchers of a job, one for each of its nodes or containers. They act as one over a link: one of them leads, the others
 * connect to it.
 *
 * @param own the name of this one
 * @param leader the name of the one that leads; the others must be able to reach its host
 * @param all in node order
 * @param required whether the job cannot do without the link: its plan waits for what other launchers say
 * @param keyFile the absolute path of a file that all nodes have and that others cannot read: who has not got it has no say.
 *     It may appear later. Empty: the link has the key that the user or the platform gives it
 * @since 0.1
 */
@Stability(stable = true)
public record LauncherNodes(String own, String leader, List<Peer> all, boolean required, Optional<String> keyFile) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*+(-[a-z0-9]++)*+");

    private static final String OF_NODE = "node-";

    /** Stands between a process and the launcher that runs it. */
    private static final String AT = "@";

    /**
     * A launcher.
     *
     * @param name lower-case letters, digits and dashes, unique in the job: {@code node-0}, {@code ps-1}
     * @param host where it runs, as far as anybody knows before it connects
     */
    public record Peer(String name, Optional<Host> host) {

        public Peer {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("a launcher's name \"" + name + "\" does not match " + NAME);
            }
        }
    }

    public LauncherNodes {
        all = List.copyOf(all);
        checkNames(all);
        named(all, own);
        named(all, leader);
    }

    private static void checkNames(List<Peer> all) {
        Set<String> names = new HashSet<>();
        for (Peer peer : all) {
            if (!names.add(peer.name())) {
                throw new IllegalArgumentException("two launchers are called " + peer.name());
            }
        }
    }

    /** Launchers that can do without the link. */
    public static LauncherNodes of(String own, String leader, List<Peer> all) {
        return new LauncherNodes(own, leader, all, false, Optional.empty());
    }

    /**
     * A launcher on every node, called {@code node-0}, {@code node-1} and so on; the first leads. Empty for a job of one node,
     * and where nobody says which of the nodes this one is or where they are.
     */
    public static Optional<LauncherNodes> ofNodes(Node node) {
        return areKnown(node) ? Optional.of(ofHosts(node.index().getAsInt(), node.hosts())) : Optional.empty();
    }

    /** Whether {@link #ofNodes} has launchers: the job has several nodes, and it is known where they are and which this one is. */
    public static boolean areKnown(Node node) {
        int count = node.count().orElse(node.hosts().size());
        return node.index().isPresent() && count > 1 && node.hosts().size() == count;
    }

    /**
     * A launcher on each of these hosts, called {@code node-0}, {@code node-1} and so on; the first leads.
     *
     * @param index which of them is this one
     */
    public static LauncherNodes ofHosts(int index, List<Host> hosts) {
        return ofHosts(index, hosts.size(), hosts::get);
    }

    /** The same for hosts that are made by their index. */
    public static LauncherNodes ofHosts(int index, int count, IntFunction<Host> host) {
        Objects.checkIndex(index, count);
        List<Peer> all = IntStream.range(0, count)
                .mapToObj(node -> new Peer(ofNode(node), Optional.of(host.apply(node))))
                .toList();
        return of(ofNode(index), ofNode(0), all);
    }

    /** What the launcher of a node is called. */
    public static String ofNode(int index) {
        return OF_NODE + index;
    }

    /** The id of a process of another launcher, for conditions: {@code worker-1@node-1}. */
    public static String processOf(String id, String launcher) {
        return id + AT + launcher;
    }

    /** Whether an id in a condition is that of a process of another launcher. */
    public static boolean isElsewhere(String processId) {
        return processId.contains(AT);
    }

    /** The launcher in the id of a process of another launcher. */
    public static String launcherOf(String processId) {
        return processId.substring(processId.indexOf(AT) + 1);
    }

    /** The same launchers, of a job that cannot do without the link. */
    public LauncherNodes needed() {
        return new LauncherNodes(own, leader, all, true, keyFile);
    }

    /** The same launchers, whose link has this key. */
    public LauncherNodes withKey(String file) {
        return new LauncherNodes(own, leader, all, required, Optional.of(file));
    }

    /** Whether this one leads. */
    public boolean leads() {
        return own.equals(leader);
    }

    /**
     * This one.
     *
     * @since 0.2
     */
    public Peer self() {
        return named(all, own);
    }

    /** The one that leads. */
    public Peer leading() {
        return named(all, leader);
    }

    private static Peer named(List<Peer> all, String name) {
        for (Peer peer : all) {
            if (peer.name().equals(name)) {
                return peer;
            }
        }
        throw new IllegalArgumentException("no launcher is called " + name);
    }
}
