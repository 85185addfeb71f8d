package dev.muster.runtime.link;

import dev.muster.runtime.text.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC with SHA-256 (RFC 2104) under one key. The JDK's own would load its whole framework of providers at the start of every
 * launcher, and starts from the bare key for each text. One thread only.
 */
final class Hmac {

    private static final int BLOCK = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    /** Both have taken their half of the key; copies go on from there. */
    private final MessageDigest inner;

    private final MessageDigest outer;

    Hmac(byte[] key) {
        byte[] block = Arrays.copyOf(key.length > BLOCK ? Sha256.begin().digest(key) : key, BLOCK);
        inner = padded(block, INNER);
        outer = padded(block, OUTER);
    }

    byte[] of(byte[] bytes) {
        return of(bytes, bytes.length);
    }

    /** Of the first bytes only. */
    byte[] of(byte[] bytes, int length) {
        MessageDigest first = copy(inner);
        first.update(bytes, 0, length);
        MessageDigest second = copy(outer);
        second.update(first.digest());
        return second.digest();
    }

    private static MessageDigest padded(byte[] block, byte padding) {
        byte[] mixed = new byte[BLOCK];
        for (int at = 0; at < BLOCK; at++) {
            mixed[at] = (byte) (block[at] ^ padding);
        }
        MessageDigest digest = Sha256.begin();
        digest.update(mixed);
        return digest;
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own SHA-256 can be copied", e);
        }
    }
}
