package dev.muster.runtime.link;

import java.nio.file.Path;
import java.util.Arrays;

/** What a launcher must know to have a say in a job. */
public sealed interface LinkKey {

    /** For users: where it comes from, without the secret. */
    String origin();

    /** A key known now. */
    final class Known implements LinkKey {

        private final byte[] secret;
        private final String origin;

        public Known(byte[] secret, String origin) {
            this.secret = secret.clone();
            this.origin = origin;
        }

        public byte[] secret() {
            return secret.clone();
        }

        @Override
        public String origin() {
            return origin;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Known known && Arrays.equals(secret, known.secret) && origin.equals(known.origin);
        }

        @Override
        public int hashCode() {
            return origin.hashCode();
        }

        @Override
        public String toString() {
            return origin;
        }
    }

    /** A key made from a file that is there already or will be; until then nothing is sent and nobody is listened to. */
    record OfFile(Path file, String origin) implements LinkKey {}
}
