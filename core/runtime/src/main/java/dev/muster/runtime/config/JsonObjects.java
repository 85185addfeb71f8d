package dev.muster.runtime.config;

import java.util.Map;

/** Reads a JSON object. Another room knows how. */
@FunctionalInterface
public interface JsonObjects {

    /**
     * The object: values are maps, lists, texts, numbers, booleans and null.
     *
     * @throws IllegalArgumentException when the bytes are no JSON object; the message says why, to be read after the name of
     *     the file, for example {@code is not valid JSON at line 3 column 17}
     */
    Map<String, Object> read(byte[] content);
}
