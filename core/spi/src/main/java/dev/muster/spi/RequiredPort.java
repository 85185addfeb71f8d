package dev.muster.spi;

import java.util.Optional;

/**
 * A TCP port of this machine that a process of the plan will listen on. Before anything starts, the runtime checks that it is free. It
 * waits while a process that an earlier run left behind still holds it, and refuses the job when any other process holds it.
 *
 * @param port 1..65535
 * @param purpose for messages, for example {@code the rendezvous}
 * @param origin who chose it, for example {@code --master-port}
 * @param fix what the user can do when another process holds it, a sentence without a full stop
 * @param host a name or address of this machine at which the port must be free; empty: at all addresses. An unknown host, or a host
 *     that is not this machine, means all addresses too
 * @since 0.1
 */
@Stability(stable = true)
public record RequiredPort(int port, String purpose, String origin, String fix, Optional<String> host) {

    /** A port that must be free at all addresses. */
    public static RequiredPort of(int port, String purpose, String origin, String fix) {
        return new RequiredPort(port, purpose, origin, fix, Optional.empty());
    }

    /** The same port, which must be free only at this name or address of the machine. */
    public RequiredPort at(String onlyHost) {
        return new RequiredPort(port, purpose, origin, fix, Optional.of(onlyHost));
    }
}
