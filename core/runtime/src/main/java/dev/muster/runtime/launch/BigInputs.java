package dev.muster.runtime.launch;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The input that is to blame when there is not enough memory to make a plan.
 */
final class BigInputs {

    /** No plan of a smaller one needs so much. */
    private static final long BIG = 512 * 1024;

    private static final long MEGABYTE = 1024 * 1024;

    private Optional<String> biggest = Optional.empty();

    /** @param values of which a plan is made now */
    void look(Map<String, InputValue> values) {
        long most = BIG - 1;
        for (Map.Entry<String, InputValue> value : values.entrySet()) {
            if (value.getValue() instanceof InputValue.Json json && size(json.path()) > most) {
                most = size(json.path());
                biggest = Optional.of(value.getKey().replace('-', ' ') + " " + Printable.escape(json.path()) + " ("
                        + (most + MEGABYTE - 1) / MEGABYTE + " MB)");
            }
        }
    }

    /** What a full heap means. */
    RuntimeException refusal(OutOfMemoryError full) {
        if (biggest.isEmpty()) {
            throw full;
        }
        return new MusterException(
                ExitCode.DATA,
                biggest.get() + " needs more memory than the launcher has. Check that it is the right file",
                full);
    }

    private static long size(String path) {
        try {
            return Files.size(Path.of(path));
        } catch (IOException | InvalidPathException noFile) {
            return 0;
        }
    }
}
