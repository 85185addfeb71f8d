package dev.muster.runtime.watch;

import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.text.Shortened;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Where {@code muster top} goes on showing what it learns: a terminal is drawn anew, else text follows text. */
record TopScreen(boolean isTerminal) {

    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final Duration REFRESH_OF_TEXT = Duration.ofSeconds(10);

    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";

    /** Lines and columns. */
    private record Size(int lines, int columns) {

        private static final Size USUAL = new Size(24, 80);

        /** The terminal's program knows it: Java does not. */
        static Size ofTerminal() {
            try {
                Process stty = new ProcessBuilder("stty", "size")
                        .redirectInput(Redirect.INHERIT)
                        .redirectError(Redirect.DISCARD)
                        .start();
                String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
                String[] numbers = answer.split(" ", -1);
                return answer.matches("[1-9][0-9]{0,4} [1-9][0-9]{0,4}")
                        ? new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]))
                        : USUAL;
            } catch (IOException noSuchProgram) {
                return USUAL;
            }
        }
    }

    static TopScreen ofStandardOutput() {
        return new TopScreen(StandardOutput.isTerminal());
    }

    Duration refresh() {
        return isTerminal ? REFRESH : REFRESH_OF_TEXT;
    }

    /** False: nobody reads it any more. */
    boolean show(String text) {
        return StandardOutput.write(isTerminal ? drawn(text.lines().toList(), Size.ofTerminal()) : text + "\n");
    }

    /** What fits; the cursor stays below it. */
    private static String drawn(List<String> all, Size size) {
        List<String> lines = new ArrayList<>(all);
        int most = size.lines() - 1;
        if (lines.size() > most && most > 1) {
            lines = new ArrayList<>(all.subList(0, most - 1));
            lines.add("... " + (all.size() - lines.size()) + " more ranks; --once shows all");
        }
        StringBuilder screen = new StringBuilder(HOME);
        for (String line : lines) {
            boolean isLong = line.length() > size.columns();
            screen.append(isLong ? Shortened.start(size.columns(), line) : line)
                    .append(REST_OF_LINE)
                    .append('\n');
        }
        return screen.append(REST_OF_SCREEN).toString();
    }
}
