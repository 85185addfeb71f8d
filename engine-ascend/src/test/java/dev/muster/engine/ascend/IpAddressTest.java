package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "255.255.255.255", "::1", "fe80::1%eth0", "2001:db8::a:1", "::ffff:10.0.0.1"})
    void knowsAddresses(String text) {
        assertThat(IpAddress.matches(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node_0",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.01",
                "10.0.0.1\n",
                " 10.0.0.1",
                "a:b",
                "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
                "abc.def",
                "[::1]"
            })
    void takesNamesForNames(String text) {
        assertThat(IpAddress.matches(text)).isFalse();
    }
}
