package dev.muster.runtime.link;

import java.nio.file.Path;
import java.util.Arrays;

/** What a launcher must know to have a say in a job. */
public sealed interface LinkKey {

    /** For users: where it comes from, without the secret. */
    String origin();

    /** A key known now. The bytes are copied in and out, and compared by what they are. */
    @SuppressWarnings("ArrayRecordComponent")
    record Known(byte[] secret, String origin) implements LinkKey {

        public Known {
            secret = secret.clone();
        }

        @Override
        public byte[] secret() {
            return secret.clone();
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
