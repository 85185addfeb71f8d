package dev.muster.runtime.report;

import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The file in which Kubernetes lets a container say how it ended (the default of {@code terminationMessagePath}).
 * {@code kubectl describe} shows it. The kubelet makes the file and reads its last 4,096 bytes. Nothing is written outside a pod, or if
 * it is not a writable regular file.
 */
public final class TerminationLog {

    /** Below the root of the machine. */
    private static final String FILE = "dev/termination-log";
    /** Every container of a pod has this variable. */
    private static final String IN_POD = "KUBERNETES_SERVICE_HOST";

    private static final int MOST_BYTES = 4096;
    private static final String CUT = "...";

    private static final Set<OpenOption> AT_THE_END =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);

    private final Path file;
    private final Map<String, String> environment;
    private final UnaryOperator<String> mask;

    /**
     * @param root stands for {@code /}
     * @param environment of the launcher
     * @param mask hides what is secret
     */
    public TerminationLog(Path root, Map<String, String> environment, UnaryOperator<String> mask) {
        this.file = root.resolve(FILE);
        this.environment = environment;
        this.mask = mask;
    }

    /** Appends the lines that fit, preferring the last ones, because the last line tells the cause. Text of the job itself stays. */
    public void write(List<String> lines) {
        if (file().isEmpty()) {
            return;
        }
        try (SeekableByteChannel log = Files.newByteChannel(file, AT_THE_END)) {
            String start = log.size() > 0 ? "\n" : "";
            Channels.newOutputStream(log).write((start + fitting(lines)).getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            // The console has the same lines. A full disk of the kubelet is no problem of the job.
        }
    }

    /** The file; empty if this launcher must not write there. */
    public Optional<Path> file() {
        // If another launcher has started this one, that launcher tells how the container ended.
        boolean isOurs =
                !environment.getOrDefault(IN_POD, "").isEmpty() && !environment.containsKey(RunMarker.VARIABLE);
        return isOurs && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file)
                ? Optional.of(file)
                : Optional.empty();
    }

    private String fitting(List<String> lines) {
        String text = "";
        // One byte is kept for a newline before the text.
        int room = MOST_BYTES - 1;
        for (int index = lines.size() - 1; index >= 0; index--) {
            String line = Shortened.message(Printable.escape(mask.apply(lines.get(index)))) + "\n";
            if ((line + text).getBytes(StandardCharsets.UTF_8).length > room) {
                return text.isEmpty() ? cut(line, room) : text;
            }
            text = line + text;
        }
        return text;
    }

    /** Cuts a single line that is too long. */
    private static String cut(String line, int room) {
        byte[] start = Arrays.copyOf(line.getBytes(StandardCharsets.UTF_8), room - CUT.length() - 1);
        // The last character may have lost some of its bytes.
        return new String(start, StandardCharsets.UTF_8).replaceFirst("\uFFFD*$", "") + CUT + "\n";
    }
}
