package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import java.util.Optional;

/**
 * A host of the job.
 *
 * @param name what messages and a hostfile of the user call it
 * @param address the name or IP address under which it is reached
 * @param login what ssh is told, here and by mpirun: the address, perhaps with a user before it
 * @param slots how many ranks it takes
 * @param isHere whether it is this one: mpirun starts ranks there without ssh
 */
record MpiHost(String name, String address, String login, int slots, boolean isHere) {

    /** One that the user or the platform names. */
    static MpiHost of(Host host, int slots) {
        String address = host.address().orElse(host.name());
        return new MpiHost(host.name(), address, address, slots, false);
    }

    /** The same, where it is known by other means than its name whether it is this one. */
    MpiHost at(boolean isThis) {
        return new MpiHost(name, address, login, slots, isThis);
    }

    /** What a launcher on it is reached by. */
    Host host() {
        return Host.of(name, name.equals(address) ? Optional.empty() : Optional.of(address));
    }
}
