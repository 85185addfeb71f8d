package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {

    @Test
    void blanksAndTheBracketsOfOtherListsDoNotBelongToAHost() {
        assertThat(Hosts.parse("node-0, node-1.lan ,10.0.0.1,[fd00::1],fe80::2%eth0"))
                .containsExactly("node-0", "node-1.lan", "10.0.0.1", "fd00::1", "fe80::2%eth0");
        assertThat(Hosts.areValid("node-0, node-1.lan ,10.0.0.1,[fd00::1],fe80::2%eth0"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", "a,,b", "a,a", "a, a", "[::1],::1", "-a", "a b", "a;b", "[a]", "[]", "a/b"})
    void otherListsAreRefused(String list) {
        assertThat(Hosts.areValid(list)).isFalse();
    }

    /** Otherwise Muster takes host and port for an IPv6 address, puts it into brackets and adds another port. */
    @ParameterizedTest
    @ValueSource(strings = {"a:22,b:22", "10.0.0.1:22", "[fd00::1]:22"})
    void hostsWithPortsAreRefused(String list) {
        assertThat(Hosts.areValid(list)).isFalse();
    }
}
