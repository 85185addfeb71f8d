package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressBlockTest {

    @Test
    void twoSimulationsNeverShareAnAddress() throws IOException {
        try (AddressBlock one = AddressBlock.reserve(7);
                AddressBlock other = AddressBlock.reserve(7)) {
            assertThat(one.ofNode(0)).isNotEqualTo(other.ofNode(0));
            assertThat(one.ofCard(0)).isNotEqualTo(other.ofCard(0));
        }
    }

    @Test
    void allAddressesAreLoopbackAndDifferent() throws IOException {
        Set<String> seen = new HashSet<>();
        try (AddressBlock block = AddressBlock.reserve(11)) {
            for (int node : new int[] {0, 1, 249, 250, AddressBlock.MAX_NODES - 1}) {
                assertThat(seen.add(block.ofNode(node))).isTrue();
            }
            for (int card : new int[] {0, 1, 249, 250, 20_000, AddressBlock.MAX_CARDS - 1}) {
                assertThat(seen.add(block.ofCard(card))).isTrue();
            }
        }
        for (String address : seen) {
            assertThat(InetAddress.getByName(address).isLoopbackAddress())
                    .as(address)
                    .isTrue();
        }
    }

    @Test
    void aBlockCanBeTakenAgainWhenItIsGivenUp() throws IOException {
        String first;
        try (AddressBlock block = AddressBlock.reserve(13)) {
            first = block.ofNode(0);
        }
        try (AddressBlock again = AddressBlock.reserve(13)) {
            assertThat(again.ofNode(0)).isEqualTo(first);
        }
    }
}
