package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.Host;

/**
 * A host of the job.
 *
 * @param name what messages and a hostfile of the user call it
 * @param address the name or IP address under which it is reached
 * @param port on which it serves ssh
 */
record MpiHost(String name, String address, int port) {

    static MpiHost of(Host host, int port) {
        return new MpiHost(host.name(), host.address().orElse(host.name()), port);
    }

    /** Its sshd accepts connections. */
    Condition.PortOpen isOpen() {
        return new Condition.PortOpen(address, port);
    }
}
