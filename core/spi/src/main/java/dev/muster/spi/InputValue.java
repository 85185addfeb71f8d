package dev.muster.spi;

import java.util.List;
import java.util.Map;

/**
 * What an {@link Input} turned out to be: one of those here, or what the engine's own {@link Input.Parser} has made of JSON. What is not
 * there has no value.
 *
 * @since 0.1
 */
@Stability(stable = true)
public interface InputValue {

    /** The nodes of the job in node order, if it lists them: {@code plan --all-nodes} plans for these. Empty, the default: it does not. */
    default List<Host> hosts() {
        return List.of();
    }

    /**
     * The content of a JSON file: objects are maps in file order, arrays lists, whole numbers {@link Long} or {@link
     * java.math.BigInteger}, other numbers {@link java.math.BigDecimal} or {@link Double} (NaN, infinite), and texts,
     * booleans and {@code null} themselves.
     *
     * @param path the file that was read
     * @param content the top-level object, read-only
     */
    record Json(String path, Map<String, Object> content) implements InputValue {}

    /** The content of a text file, or the names in a directory, sorted, a line each. */
    record Text(String path, String content) implements InputValue {}

    /** Where a program was found: an absolute path. */
    record Program(String path) implements InputValue {}

    /**
     * What a command said.
     *
     * @param exitCode as a shell would give it: 128+n for signal n, 127 when there is no such program, 126 when it cannot be
     *     executed, 124 when it took too long
     * @param output its standard output in UTF-8, at most 64 KiB; of standard error nothing
     */
    record CommandOutput(int exitCode, String output) implements InputValue {}
}
