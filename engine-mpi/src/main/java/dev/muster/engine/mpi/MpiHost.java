package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import java.util.Optional;

/**
 * A host of the job.
 *
 * @param name its name in messages and in the user's hostfile
 * @param address the name or IP address under which it is reached
 * @param login the argument of ssh, here and by mpirun: the address, perhaps with a user before it
 * @param slots the number of its ranks
 * @param isHere whether it is this host: mpirun starts ranks here without ssh
 */
record MpiHost(String name, String address, String login, int slots, boolean isHere) {

    /** A host that the user or the platform names. */
    static MpiHost of(Host host, int slots) {
        String address = host.address().orElse(host.name());
        return new MpiHost(host.name(), address, address, slots, false);
    }

    /** The same host, with the knowledge whether it is this one. */
    MpiHost withIsHere(boolean isThis) {
        return new MpiHost(name, address, login, slots, isThis);
    }

    /** The host of a launcher on it. */
    Host host() {
        return Host.of(name, name.equals(address) ? Optional.empty() : Optional.of(address));
    }
}
