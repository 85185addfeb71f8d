package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.LogReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Steps are the engine's own commands: what a failed one printed last is the reason why the job cannot run. */
final class FailedStep {

    private static final int LONGEST = 4096;

    private FailedStep() {}

    /** The verdict, with the reason of the step whose failure it is about. */
    static Verdict in(Verdict verdict, Map<String, LogReport> logs) {
        if (verdict.cause() instanceof Cause.ProcessFailed failed
                && failed.process() instanceof ProcessSpec.Hook
                && failed.reason().isEmpty()) {
            Optional<String> said =
                    Optional.ofNullable(logs.get(failed.process().id())).flatMap(FailedStep::lastLine);
            return verdict.because(new Cause.ProcessFailed(failed.process(), failed.pid(), failed.termination(), said));
        }
        return verdict;
    }

    private static Optional<String> lastLine(LogReport log) {
        if (log.file().isEmpty()) {
            return Optional.empty();
        }
        try {
            // Before that, the file has what earlier runs printed.
            String text = end(log.file().get(), (int) Math.min(LONGEST, log.bytesLogged()));
            String line = text.substring(text.lastIndexOf('\n') + 1).strip();
            return line.isEmpty() ? Optional.empty() : Optional.of(Printable.escape(line));
        } catch (IOException unreadable) {
            // The console has had the line; only the verdict lacks it.
            return Optional.empty();
        }
    }

    private static String end(Path file, int bytes) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            log.seek(Math.max(0, log.length() - bytes));
            byte[] end = new byte[(int) Math.min(bytes, log.length())];
            log.readFully(end);
            return new String(end, StandardCharsets.UTF_8).strip();
        }
    }
}
