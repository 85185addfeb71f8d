package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * A variable that every process of a run carries, so that those which left their group can be found. It cannot be guessed, so
 * that no foreign process is taken for ours.
 *
 * @param value 128 random bits in hexadecimal
 */
public record RunMarker(String value) {

    /** The variable's name. A launcher inside a rank gives its own ranks a marker of their own. */
    public static final String VARIABLE = "MUSTER_JOB";

    private static final int BYTES = 16;

    /** From the kernel's random numbers; Java's own take longer to start than all the ranks. */
    public static RunMarker random() {
        try (InputStream random = Files.newInputStream(Path.of("/dev/urandom"))) {
            return new RunMarker(HexFormat.of().formatHex(random.readNBytes(BYTES)));
        } catch (IOException noRandom) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "/dev/urandom cannot be read, without which no job can run: " + Reasons.of(noRandom),
                    noRandom);
        }
    }

    /** The variable as it stands in an environment. */
    String assignment() {
        return VARIABLE + "=" + value;
    }
}
