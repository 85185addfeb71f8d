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
 * The launchers of a job, one for each node or container. A link connects them: one launcher is the leader, the others
 * connect to it.
 *
 * @param own the name of this launcher
 * @param leader the name of the leader; the others must be able to reach its host
 * @param all in node order
 * @param required whether the job needs the link: its plan waits for events of other launchers
 * @param keyFile the absolute path of a file with the link's key: all nodes have it, and other users cannot read it. It may appear
 *     later. Empty: the link's key comes from the user or the platform
 * @since 0.1
 */
@Stability(stable = true)
public record LauncherNodes(String own, String leader, List<Peer> all, boolean required, Optional<String> keyFile) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*+(-[a-z0-9]++)*+");

    private static final String OF_NODE = "node-";

    /** Separates the id of a process and the name of its launcher. */
    private static final String AT = "@";

    /**
     * A launcher.
     *
     * @param name lower-case letters, digits and dashes, unique in the job: {@code node-0}, {@code ps-1}
     * @param host where it runs, if that is known before it connects
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

    /** The launchers of a job that does not need the link. */
    public static LauncherNodes of(String own, String leader, List<Peer> all) {
        return new LauncherNodes(own, leader, all, false, Optional.empty());
    }

    /**
     * A launcher on every node, called {@code node-0}, {@code node-1} and so on; the first is the leader. Empty for a job of one
     * node, and if the index of this node or the hosts are unknown.
     */
    public static Optional<LauncherNodes> ofNodes(Node node) {
        return areKnown(node) ? Optional.of(ofHosts(node.index().getAsInt(), node.hosts())) : Optional.empty();
    }

    /** Whether {@link #ofNodes} has launchers: the job has several nodes, and the hosts and the index of this node are known. */
    public static boolean areKnown(Node node) {
        int count = node.count().orElse(node.hosts().size());
        return node.index().isPresent() && count > 1 && node.hosts().size() == count;
    }

    /**
     * A launcher on each of these hosts, called {@code node-0}, {@code node-1} and so on; the first is the leader.
     *
     * @param index the index of this launcher's host
     */
    public static LauncherNodes ofHosts(int index, List<Host> hosts) {
        return ofHosts(index, hosts.size(), hosts::get);
    }

    /** The same for hosts that a function makes from the index. */
    public static LauncherNodes ofHosts(int index, int count, IntFunction<Host> host) {
        Objects.checkIndex(index, count);
        List<Peer> all = IntStream.range(0, count)
                .mapToObj(node -> new Peer(ofNode(node), Optional.of(host.apply(node))))
                .toList();
        return of(ofNode(index), ofNode(0), all);
    }

    /** The name of the launcher of a node. */
    public static String ofNode(int index) {
        return OF_NODE + index;
    }

    /** The id of a process of another launcher, for conditions: {@code worker-1@node-1}. */
    public static String processOf(String id, String launcher) {
        return id + AT + launcher;
    }

    /** Whether an id in a condition names a process of another launcher. */
    public static boolean isElsewhere(String processId) {
        return processId.contains(AT);
    }

    /** The launcher in the id of a process of another launcher. */
    public static String launcherOf(String processId) {
        return processId.substring(processId.indexOf(AT) + 1);
    }

    /** The same launchers, of a job that needs the link. */
    public LauncherNodes needed() {
        return new LauncherNodes(own, leader, all, true, keyFile);
    }

    /** The same launchers, with the link's key in this file. */
    public LauncherNodes withKey(String file) {
        return new LauncherNodes(own, leader, all, required, Optional.of(file));
    }

    /** Whether this launcher is the leader. */
    public boolean leads() {
        return own.equals(leader);
    }

    /**
     * This launcher.
     *
     * @since 0.2
     */
    public Peer self() {
        return named(all, own);
    }

    /** The leader. */
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
