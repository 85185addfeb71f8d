package dev.muster.runtime.simulate;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Loopback addresses of one simulation: a block 127.X.0.0/16. A listening socket on the block's first address reserves it while the
 * simulation runs. So two simulations never share an address, even of different users.
 */
record AddressBlock(int block, ServerSocket reservation) implements AutoCloseable {

    private static final int FIRST_BLOCK = 64;
    private static final int BLOCKS = 190;
    /** Any port that is neither privileged nor ephemeral. */
    private static final int RESERVATION_PORT = 23_517;

    private static final int PER_ROW = 250;
    private static final int CARD_ROW = 50;
    /** The most nodes, and the most cards in all, that a block has addresses for. */
    static final int MAX_NODES = (CARD_ROW - 1) * PER_ROW;

    static final int MAX_CARDS = (255 - CARD_ROW) * PER_ROW;

    /** @param seed where the search begins; any number */
    static AddressBlock reserve(long seed) {
        for (int attempt = 0; attempt < BLOCKS; attempt++) {
            int block = FIRST_BLOCK + (int) Math.floorMod(seed + attempt, (long) BLOCKS);
            try {
                InetAddress first = InetAddress.getByAddress(new byte[] {127, (byte) block, 0, 1});
                return new AddressBlock(block, new ServerSocket(RESERVATION_PORT, 1, first));
            } catch (IOException taken) {
                // Another simulation has this block. Try the next one.
            }
        }
        throw new MusterException(
                ExitCode.UNAVAILABLE,
                "no loopback addresses are left for a simulation: 127." + FIRST_BLOCK + ".0.1 to 127."
                        + (FIRST_BLOCK + BLOCKS - 1) + ".0.1, port " + RESERVATION_PORT
                        + ", are all taken. Wait for other simulations to end");
    }

    String ofNode(int node) {
        return address(1 + node / PER_ROW, 1 + node % PER_ROW);
    }

    /** @param card its index over all nodes */
    String ofCard(int card) {
        return address(CARD_ROW + card / PER_ROW, 1 + card % PER_ROW);
    }

    @Override
    public void close() throws IOException {
        reservation.close();
    }

    private String address(int row, int column) {
        return "127." + block + "." + row + "." + column;
    }
}
