package dev.muster.engine.tensorflow;

import dev.muster.spi.Host;
import dev.muster.spi.Launchers;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who is in a job of one kind, and what is the same for all of them. It is made once, since a job may have thousands. */
final class Roll {

    private final Cluster cluster;
    private final List<Member> members;
    private final List<Member> deciders;
    private final Set<Member> known;
    private final Set<Member> deciding;
    private final Once<Launchers> ofNodes = new Once<>(() -> launchersOf(false));
    private final Once<Launchers> ofRoles = new Once<>(() -> launchersOf(true));
    private final Once<Value> configHead;

    Roll(Cluster cluster, Kind kind) {
        this.cluster = cluster;
        this.members = kind.members(cluster);
        this.deciders = kind.deciders(cluster);
        this.known = new HashSet<>(members);
        this.deciding = new HashSet<>(deciders);
        this.configHead = new Once<>(() -> TfConfig.head(cluster, kind));
    }

    boolean has(Member member) {
        return known.contains(member);
    }

    /** Those who decide how the job ends. */
    List<Member> deciders() {
        return deciders;
    }

    boolean decides(Member member) {
        return deciding.contains(member);
    }

    /** Those that have a launcher which bears their name, or its index. */
    List<Member> first(boolean isRole) {
        return isRole ? members : cluster.members(Role.WORKER);
    }

    /**
     * All launchers of the job, as the one that leads sees them.
     *
     * @param isRole whether every process has a container and a launcher of its own
     */
    Launchers launchers(boolean isRole) {
        return (isRole ? ofRoles : ofNodes).get();
    }

    /** What stands in the {@code TF_CONFIG} of all of them. */
    Value configHead() {
        return configHead.get();
    }

    private Launchers launchersOf(boolean isRole) {
        List<Launchers.Peer> peers = new ArrayList<>();
        for (Member member : first(isRole)) {
            Host host = new Host(cluster.at(member).host(), Optional.empty());
            peers.add(new Launchers.Peer(launcher(member, isRole), Optional.of(host)));
        }
        String leader = launcher(deciders.get(0), isRole);
        Launchers launchers = Launchers.of(leader, leader, peers);
        // Who only serves does not see for itself when the job has ended.
        return deciding.containsAll(members) ? launchers : launchers.needed();
    }

    /** Containers of one role have the names of their processes, whole nodes their index. */
    static String launcher(Member member, boolean isRole) {
        return isRole ? member.id() : Launchers.ofNode(member.index());
    }
}
