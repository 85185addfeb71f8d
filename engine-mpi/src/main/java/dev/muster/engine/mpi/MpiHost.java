package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import java.util.Optional;

/**
 * A host of the job.
 *
 * @param name what messages and a hostfile of the user call it
 * @param address the name or IP address under which it is reached
 * @param login what ssh is told, here and by mpirun, which has it from the hostfile
 * @param port on which it serves ssh
 */
record MpiHost(String name, String address, String login, int port) {

    /** A host without an alias. */
    MpiHost(String name, String address, int port) {
        this(name, address, address, port);
    }

    static MpiHost of(Host host, int port) {
        return new MpiHost(host.name(), host.address().orElse(host.name()), port);
    }

    /** What ssh looks for in its configuration: what it is told, without the user. */
    String alias() {
        return withoutUser(login);
    }

    /** What a launcher on it is reached by. */
    Host host() {
        return new Host(name, name.equals(address) ? Optional.empty() : Optional.of(address));
    }

    /** {@code host} of {@code user@host}, as hostfiles may have it. */
    static String withoutUser(String login) {
        return login.substring(login.lastIndexOf('@') + 1);
    }
}
