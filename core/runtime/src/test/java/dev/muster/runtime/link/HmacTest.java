package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class HmacTest {

    /** RFC 4231, test case 2. */
    @Test
    void givesWhatTheStandardGives() {
        byte[] mac = new Hmac("Jefe".getBytes(StandardCharsets.US_ASCII))
                .of("what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII));

        assertThat(HexFormat.of().formatHex(mac))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void givesWhatTheJdkGivesForKeysAndTextsOfAnyLength() throws GeneralSecurityException {
        Random random = new Random(42);
        for (int length = 1; length < 200; length += 7) {
            byte[] key = new byte[length];
            byte[] text = new byte[3 * length];
            random.nextBytes(key);
            random.nextBytes(text);
            Mac jdk = Mac.getInstance("HmacSHA256");
            jdk.init(new SecretKeySpec(key, "HmacSHA256"));
            Hmac ours = new Hmac(key);

            assertThat(ours.of(text)).isEqualTo(jdk.doFinal(text));
            jdk.update(text, 0, length);
            assertThat(ours.of(text, length)).isEqualTo(jdk.doFinal());
        }
    }
}
