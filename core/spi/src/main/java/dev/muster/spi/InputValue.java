package dev.muster.spi;

import java.util.List;
import java.util.Map;

/**
 * The value of an {@link Input}: one of the types here, or the result of the engine's {@link Input.Parser}. A missing input has no
 * value.
 *
 * @since 0.1
 */
@Stability(stable = true)
public interface InputValue {

    /** The nodes of the job in node order, for {@code plan --all-nodes}. Empty, the default: the value does not list them. */
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

    /** The content of a text file, or the sorted names in a directory, one per line. */
    record Text(String path, String content) implements InputValue {}

    /** Where a program was found: an absolute path. */
    record Program(String path) implements InputValue {}

    /**
     * The result of a command.
     *
     * @param exitCode as in a shell: 128+n for signal n, 127 when there is no such program, 126 when it cannot be
     *     executed, 124 when it took too long
     * @param output its standard output in UTF-8, at most 64 KiB, without standard error
     */
    record CommandOutput(int exitCode, String output) implements InputValue {}
}
