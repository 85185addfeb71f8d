package dev.muster.spi;

import java.util.Optional;

/**
 * A TCP port of this machine that a process of the plan is going to listen on. The runtime checks before anything is started
 * that it is free: it waits while a process that an earlier run left behind still holds it, and refuses when anybody else does.
 *
 * @param port 1..65535
 * @param purpose for messages, for example {@code the rendezvous}
 * @param origin who chose it, for example {@code --master-port}
 * @param fix what the user can do when somebody else has it, a sentence without a full stop
 * @param host a name or address of this machine, if the port need only be free there; empty: at all addresses. A host that is not
 *     known, or not this machine's, counts as all
 * @since 0.1
 */
@Stability(stable = true)
public record RequiredPort(int port, String purpose, String origin, String fix, Optional<String> host) {

    /** A port that must be free at all addresses. */
    public static RequiredPort of(int port, String purpose, String origin, String fix) {
        return new RequiredPort(port, purpose, origin, fix, Optional.empty());
    }

    /** The same port, which need only be free at this name or address of the machine. */
    public RequiredPort at(String onlyHost) {
        return new RequiredPort(port, purpose, origin, fix, Optional.of(onlyHost));
    }
}
