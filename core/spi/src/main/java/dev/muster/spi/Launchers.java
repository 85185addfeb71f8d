package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

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
public record Launchers(String own, String leader, List<Peer> all, boolean required, Optional<String> keyFile) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*+(-[a-z0-9]++)*+");

    private static final String OF_NODE = "node-";
    private static final int MOST_DIGITS = 9;

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
            if (!isPlain(name) && !NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("a launcher's name \"" + name + "\" does not match " + NAME);
            }
        }
    }

    /** Letters, a dash, digits: as launchers of nodes are called, of which a job may have ten thousand. */
    private static boolean isPlain(String name) {
        int at = 0;
        while (at < name.length() && name.charAt(at) >= 'a' && name.charAt(at) <= 'z') {
            at++;
        }
        int dash = at;
        if (dash == 0 || dash + 1 >= name.length() || name.charAt(dash) != '-') {
            return false;
        }
        for (at = dash + 1; at < name.length(); at++) {
            if (name.charAt(at) < '0' || name.charAt(at) > '9') {
                return false;
            }
        }
        return true;
    }

    public Launchers {
        Peers known = Peers.of(all);
        all = known;
        if (!known.has(own) || !known.has(leader)) {
            throw new IllegalArgumentException("no launcher is called " + (known.has(own) ? leader : own));
        }
    }

    /** Launchers that can do without the link. */
    public static Launchers of(String own, String leader, List<Peer> all) {
        return new Launchers(own, leader, all, false, Optional.empty());
    }

    /**
     * A launcher on every node, called {@code node-0}, {@code node-1} and so on; the first leads. Empty for a job of one node,
     * and where nobody says which of the nodes this one is or where they are.
     */
    public static Optional<Launchers> ofNodes(Node node) {
        int count = node.count().orElse(node.hosts().size());
        boolean isKnown = node.index().isPresent() && count > 1 && node.hosts().size() == count;
        return isKnown ? Optional.of(ofHosts(node.index().getAsInt(), node.hosts())) : Optional.empty();
    }

    /**
     * A launcher on each of these hosts, called {@code node-0}, {@code node-1} and so on; the first leads.
     *
     * @param index which of them is this one
     */
    public static Launchers ofHosts(int index, List<Host> hosts) {
        return of(ofNode(index), ofNode(0), Peers.on(hosts));
    }

    /**
     * The same for hosts that come to be when they are asked for: who starts one of ten thousand nodes asks for few of them.
     *
     * @param count how many there are
     * @param host of a node, by its index; always the same one
     * @since 0.2
     */
    public static Launchers ofHosts(int index, int count, IntFunction<Host> host) {
        return of(ofNode(index), ofNode(0), Peers.on(count, host));
    }

    /** What the launcher of a node is called. */
    public static String ofNode(int index) {
        return OF_NODE + index;
    }

    /** The node whose launcher is called so; -1 when it is none of the first {@code count}. */
    static int indexOf(String name, int count) {
        if (!name.startsWith(OF_NODE) || name.length() > OF_NODE.length() + MOST_DIGITS) {
            return -1;
        }
        int index = 0;
        for (int at = OF_NODE.length(); at < name.length(); at++) {
            index = 10 * index + name.charAt(at) - '0';
        }
        return index >= 0 && index < count && ofNode(index).equals(name) ? index : -1;
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
    public Launchers needed() {
        return new Launchers(own, leader, all, true, keyFile);
    }

    /** The same launchers, whose link has this key. */
    public Launchers withKey(String file) {
        return new Launchers(own, leader, all, required, Optional.of(file));
    }

    /** Whether this one leads. */
    public boolean leads() {
        return own.equals(leader);
    }

    /** The same launchers, as another of them sees them. */
    public Launchers seenFrom(String name) {
        return new Launchers(name, leader, all, required, keyFile);
    }

    /**
     * This one.
     *
     * @since 0.2
     */
    public Peer self() {
        return Peers.of(all).named(own).orElseThrow();
    }

    /** The one that leads. */
    public Peer leading() {
        return Peers.of(all).named(leader).orElseThrow();
    }
}
