package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentBytesTest {

    @Test
    void equalBytesAreAccepted() {
        assertThatCode(() -> ArgumentBytes.check(List.of("a?", "", "\uFFFD"), bytes("java\0-jar\0a?\0\0\uFFFD\0")))
                .doesNotThrowAnyException();
    }

    @Test
    void anArgumentOfOtherBytesIsNamedByItsNumber() {
        assertThatThrownBy(() -> ArgumentBytes.check(List.of("a", "gr\uFFFD\uFFFD"), bytes("java\0X\0a\0gr\u00f6\0")))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith("argument 2 (read as \"gr\uFFFD\uFFFD\") is not valid UTF-8")
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aCommandLineThatIsNotTheProcesssOwnProvesNothing() {
        assertThatCode(() -> ArgumentBytes.check(List.of("?"), bytes("renamed")))
                .doesNotThrowAnyException();
        assertThatCode(() -> ArgumentBytes.check(List.of("?"), new byte[0])).doesNotThrowAnyException();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
