package dev.muster.testkit;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds names of a platform's variables in a class. It looks at all texts of the class file, also inside messages. Variables of
 * frameworks (MASTER_*, RANK*, PET_*, TF_*, OMPI_*, HOROVOD_*, ...) belong to engines and are allowed.
 */
final class PlatformVariableCheck {

    private static final Pattern WORD = Pattern.compile(
            "(?<![A-Za-z0-9_])"
                    + "(MA|VC|VK|DLWS|DLTS|XDL|MINDX|K_MPI|SLURM|SLURMD|SRUN|SBATCH|JOB_COMPLETION|KUBERNETES|SKYPILOT|LWS|PBS|LSB|FLUX)_[A-Z0-9_]*");

    private static final int UTF8 = 1;

    private PlatformVariableCheck() {}

    /** Fails if a class names such a variable. */
    static void check(JavaClass type) {
        for (String text : texts(type)) {
            Matcher word = WORD.matcher(text);
            if (word.find()) {
                throw Rule.PURITY.broken(
                        type.getName(),
                        "it speaks of " + word.group() + ", a variable of a platform",
                        "use JobSpec, Node and JobSpec.platform(): any engine runs on any platform");
            }
        }
    }

    /** The texts of a class file's constant pool: see The Java Virtual Machine Specification, 4.4. */
    static List<String> texts(JavaClass type) {
        try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            return texts(new DataInputStream(new ByteArrayInputStream(file.readAllBytes())));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(type.getName(), unreadable);
        }
    }

    private static List<String> texts(DataInputStream file) throws IOException {
        file.readNBytes(8);
        int entries = file.readUnsignedShort();
        List<String> texts = new ArrayList<>();
        for (int entry = 1; entry < entries; entry++) {
            int tag = file.readUnsignedByte();
            if (tag == UTF8) {
                texts.add(file.readUTF());
            } else {
                file.readNBytes(length(tag));
            }
            entry += isWide(tag) ? 1 : 0;
        }
        return texts;
    }

    private static int length(int tag) {
        return switch (tag) {
            case 7, 8, 16, 19, 20 -> 2;
            case 15 -> 3;
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
            case 5, 6 -> 8;
            default -> throw new IllegalStateException("a constant of an unknown kind: " + tag);
        };
    }

    /** Long numbers take two entries. */
    private static boolean isWide(int tag) {
        return tag == 5 || tag == 6;
    }
}
