package dev.muster.runtime.ports;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A word between launchers on one machine that a TCP port is taken: a UDP socket of the same number on a loopback address that
 * stands for the word. It disturbs nobody who listens on the TCP port, works between users, needs no file, and the kernel
 * takes it back however its holder ends.
 */
record PortLock(Closeable socket) implements AutoCloseable {

    /** What a lock says. The addresses lie outside the blocks of simulations. */
    enum Word {
        /** Somebody was given this port, perhaps for others: a simulation for its nodes. */
        GIVEN_OUT(1),
        /** The processes of a running launcher use it. */
        IN_USE(2);

        private final InetAddress address;

        Word(int last) {
            try {
                address = Inet4Address.getByAddress(new byte[] {127, 9, 0, (byte) last});
            } catch (UnknownHostException impossible) {
                throw new IllegalStateException("four bytes are an address", impossible);
            }
        }

        /** As {@code /proc/net/udp} writes it. */
        String inProc() {
            byte[] bytes = address.getAddress();
            return HexFormat.of().withUpperCase().formatHex(new byte[] {bytes[3], bytes[2], bytes[1], bytes[0]});
        }
    }

    /**
     * Takes the lock.
     *
     * @return empty when somebody has it. On a machine without loopback addresses there is nothing to agree with: everybody
     *     gets the lock
     */
    static Optional<PortLock> take(Word word, int port) {
        try {
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                channel.bind(new InetSocketAddress(word.address, port));
                return Optional.of(new PortLock(channel));
            } catch (IOException refused) {
                channel.close();
                throw refused;
            }
        } catch (BindException taken) {
            return isHeld(word, port) ? Optional.empty() : Optional.of(new PortLock(() -> {}));
        } catch (IOException noSockets) {
            return Optional.of(new PortLock(() -> {}));
        }
    }

    /** Not when somebody's UDP server uses the number on all addresses: that says nothing of TCP. */
    private static boolean isHeld(Word word, int port) {
        return SocketTable.udp().stream()
                .anyMatch(socket -> socket.port() == port && socket.address().equals(word.inProc()));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The kernel closes it with the process; nothing was sent that could be lost.
        }
    }
}
