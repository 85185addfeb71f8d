package dev.muster.runtime.plan;

import dev.muster.runtime.text.Sha256;
import dev.muster.spi.GeneratedFile;
import java.nio.charset.StandardCharsets;

/**
 * Sizes and digests of files that are to be written. Contents are not shown: they can be long, and can hold secrets. All nodes of a
 * job often write the same text, which is looked at once.
 */
final class Contents {

    private String last = "";
    private int lastSize;
    private String lastDigest = Sha256.hex(new byte[0]);

    /** In bytes. */
    int size(GeneratedFile file) {
        look(file);
        return lastSize;
    }

    String sha256(GeneratedFile file) {
        look(file);
        return lastDigest;
    }

    @SuppressWarnings("ReferenceEquality") // To compare two texts takes nearly as long as to look at one.
    private void look(GeneratedFile file) {
        String content = file.content();
        if (content != last) {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            last = content;
            lastSize = bytes.length;
            lastDigest = Sha256.hex(bytes);
        }
    }
}
