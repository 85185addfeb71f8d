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
 * A lock on a TCP port between the launchers of one machine. It is a UDP socket with the same number on a loopback address that stands for
 * the kind of lock. It does not disturb the TCP port, works between users and needs no file. The kernel releases it however its holder
 * ends.
 */
record PortLock(Closeable socket) implements AutoCloseable {

    /** The kinds of lock. Their addresses lie outside the address blocks of simulations. */
    enum Word {
        /** A launcher has drawn this port, perhaps for others: a simulation for its nodes. */
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

        /** The address in the form of {@code /proc/net/udp}. */
        String inProc() {
            byte[] bytes = address.getAddress();
            return HexFormat.of().withUpperCase().formatHex(new byte[] {bytes[3], bytes[2], bytes[1], bytes[0]});
        }
    }

    /**
     * Takes the lock.
     *
     * @return empty: another launcher has it. On a machine without loopback addresses every launcher gets the lock
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

    /** Whether a launcher holds the lock. A UDP server on all addresses with this number does not count: it says nothing about TCP. */
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
