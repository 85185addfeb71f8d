package dev.muster.spi;

/**
 * A TCP port of this machine that a process of the plan is going to listen on. The runtime checks before anything is started
 * that it is free: it waits while a process that an earlier run left behind still holds it, and refuses when anybody else does.
 *
 * @param port 1..65535
 * @param purpose for messages, for example {@code the rendezvous}
 * @param origin who chose it, for example {@code --master-port}
 * @param fix what the user can do when somebody else has it, a sentence without a full stop
 * @since 0.1
 */
public record PortToUse(int port, String purpose, String origin, String fix) {}
