package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshHostTest {

    @Test
    void hostsAreWrittenAsSshTakesThem() {
        assertThat(SshHost.areValid("gpu1,me@gpu2, gpu3:2222,u@[fd00::1]:22,fd00::2"))
                .isTrue();
        assertThat(SshHost.parseAll("gpu1,me@gpu2, gpu3:2222,u@[fd00::1]:22,fd00::2"))
                .extracting(host -> String.join(" ", host.words()))
                .containsExactly("gpu1", "me@gpu2", "-p 2222 gpu3", "-p 22 u@fd00::1", "fd00::2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a,",
                "-oProxyCommand=x",
                "-l@gpu1",
                "@gpu1",
                "gpu1:",
                "gpu1:0",
                "gpu1:65536",
                "a b",
                "a;b",
                "[fd00::1"
            })
    void whatIsNoHostIsRefused(String list) {
        assertThat(SshHost.areValid(list)).isFalse();
    }
}
