package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Ipv6Test {

    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, ::",
        "00000000000000000000000000000001, ::1",
        "fe800000000000000000000000000000, fe80::",
        "20010db8000000010000000000000001, 2001:db8:0:1::1",
        "20010db8000000000001000000000001, 2001:db8::1:0:0:1",
        "20010db8000100020003000400050006, 2001:db8:1:2:3:4:5:6",
        "20010db8000000020003000400050006, 2001:db8:0:2:3:4:5:6",
    })
    void theLongestRunOfZerosIsLeftOut(String digits, String text) {
        assertThat(Ipv6.format(Ipv6.groups(digits))).isEqualTo(text);
    }
}
