package dev.muster.runtime.files;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Random text that nobody can guess. It comes from the kernel, because Java's own generators take longer to start. */
public final class RandomText {

    private RandomText() {}

    /**
     * Random bytes in hexadecimal.
     *
     * @throws MusterException the kernel's random numbers cannot be read
     */
    public static String hexadecimal(int bytes) {
        try (InputStream random = Files.newInputStream(Path.of("/dev/urandom"))) {
            return HexFormat.of().formatHex(random.readNBytes(bytes));
        } catch (IOException noRandom) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "/dev/urandom cannot be read, without which no job can run: " + IoReasons.of(noRandom),
                    noRandom);
        }
    }
}
